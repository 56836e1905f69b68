"""Connections and signals of the service: what uvicorn leaves without a bound gets one."""
