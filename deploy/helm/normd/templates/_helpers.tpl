{{- define "normd.name" -}}
{{- if contains "normd" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-normd{{ end }}
{{- end }}

{{- define "normd.selector" -}}
app.kubernetes.io/name: normd
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "normd.labels" -}}
{{ include "normd.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "normd.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- /* Whether a pod keeps something that another one would not have. */ -}}
{{- define "normd.stateful" -}}
{{- if not (and .Values.database .Values.blobs) }}true{{ end }}
{{- end }}
