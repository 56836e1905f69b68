# Both stages stand on one interpreter: the virtual environment of the first points to it.
FROM python:3.13.16-slim-bookworm AS base

# The guide is built by a service that answers its examples; nothing else of this stage is kept.
FROM base AS guide
WORKDIR /build
COPY pyproject.toml hatch_build.py README.md zensical.toml ./
COPY image/constraints.txt image/constraints.txt
COPY normalizers normalizers
COPY normd normd
COPY app app
COPY benchmarks benchmarks
COPY docs docs
RUN python -m venv --without-pip /opt/guide \
    && python -m pip --python /opt/guide/bin/python install --quiet --no-cache-dir \
        --disable-pip-version-check --constraint image/constraints.txt ".[service,arrow,fast,docs]" \
    && /opt/guide/bin/python -m docs

FROM base AS builder
ARG EXTRAS=arrow,fast,postgres,s3
WORKDIR /build
COPY pyproject.toml hatch_build.py README.md ./
COPY image/constraints.txt image/constraints.txt
COPY normalizers normalizers
COPY normd normd
COPY app app
COPY image/sbom.py image/sbom.py
COPY --from=guide /build/build/site build/site
# pip stays outside of the environment. Modules are compiled here, since nothing can be written
# later, and are not compared with their source, whose date a copy may change.
RUN python -m venv --without-pip /opt/normd \
    && python -m pip --python /opt/normd/bin/python install --quiet --no-cache-dir \
        --no-compile --disable-pip-version-check --constraint image/constraints.txt ".[service${EXTRAS:+,${EXTRAS}}]" \
    && /opt/normd/bin/python image/sbom.py /opt/normd/sbom.json \
    && python -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/normd/lib

FROM base
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="normd" \
      org.opencontainers.image.description="Scores, embeddings, metric values and time series made comparable" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV PATH="/opt/normd/bin:${PATH}" \
    HOME=/tmp \
    NORMD_DATA=/data \
    NORMD_HOST=0.0.0.0 \
    NORMD_PORT=8000 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
COPY --from=builder /opt/normd /opt/normd
COPY image/entrypoint.py image/health.py /opt/normd/
# Any user of group 0 may write here, whatever its number.
RUN install -d -m 0775 /data
USER 10001:0
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/opt/normd/bin/python", "/opt/normd/health.py"]
ENTRYPOINT ["/opt/normd/bin/python", "/opt/normd/entrypoint.py", "/opt/normd/bin/normd"]
# Others than the container reach it, so that it asks for keys: make one in the volume by
# `docker run --rm -v VOLUME:/data IMAGE keys add NAME --scopes fit`, or say --insecure (or
# NORMD_INSECURE=1) where something else keeps others out.
CMD ["serve"]
