{{- define "rondo.name" -}}
{{- if contains "rondo" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-rondo" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "rondo.selector" -}}
app.kubernetes.io/name: rondo
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "rondo.labels" -}}
{{ include "rondo.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "rondo.serviceAccount" -}}
{{- if .Values.serviceAccount.name }}{{ .Values.serviceAccount.name }}{{ else if .Values.serviceAccount.create }}{{ include "rondo.name" . }}{{ else }}default{{ end }}
{{- end }}

{{- define "rondo.variable" -}}
RONDO_{{ . | upper | replace "-" "_" }}
{{- end }}

{{- /* The pod of a role. Takes the root, the role, and the values of the role. */ -}}
{{- define "rondo.pod" -}}
{{- $root := .root }}{{ $values := .root.Values }}{{ $role := .role }}{{ $own := .own -}}
metadata:
  labels:
    {{- include "rondo.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
  {{- if or $values.metrics.annotations $own.podAnnotations }}
  annotations:
    {{- if $values.metrics.annotations }}
    prometheus.io/scrape: "true"
    prometheus.io/port: "9090"
    prometheus.io/path: /metrics
    {{- end }}
    {{- with $own.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
spec:
  serviceAccountName: {{ include "rondo.serviceAccount" $root }}
  automountServiceAccountToken: false
  # The service releases its renders within ten seconds.
  terminationGracePeriodSeconds: 30
  securityContext:
    {{- toYaml $values.podSecurityContext | nindent 4 }}
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: rondo
      image: {{ printf "%s:%s" $values.image.repository ($values.image.tag | default $root.Chart.AppVersion) }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: [serve, --role, {{ $role }}]
      env:
        # A folder of its own, which the service makes readable for its user only.
        - name: RONDO_DATA
          value: /var/lib/rondo/data
        - name: RONDO_METRICS_LISTEN
          value: 0.0.0.0:9090
        {{- if eq $role "api" }}
        - name: RONDO_LISTEN
          value: 0.0.0.0:8080
        {{- else }}
        - name: RONDO_WORKERS
          value: {{ $own.rendersPerPod | quote }}
        {{- end }}
        - name: RONDO_PUBLIC_URL
          value: {{ $values.publicUrl | quote }}
        - name: RONDO_FILES
          value: {{ $values.files.bucket | quote }}
        - name: RONDO_PROXY_FILES
          value: {{ $values.files.proxy | quote }}
        - name: AWS_REGION
          value: {{ $values.files.region | quote }}
        {{- with $values.files.endpoint }}
        - name: AWS_ENDPOINT_URL
          value: {{ . | quote }}
        {{- end }}
        {{- if eq $values.files.credentials "secret" }}
        - name: AWS_ACCESS_KEY_ID
          valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $values.secret.awsAccessKeyId }} } }
        - name: AWS_SECRET_ACCESS_KEY
          valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $values.secret.awsSecretAccessKey }} } }
        {{- end }}
        - name: RONDO_MASTER_KEY
          valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $values.secret.masterKey }} } }
        - name: RONDO_DATABASE_URL
          valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $values.secret.databaseUrl }} } }
        {{- range $name, $key := $values.secret.settings }}
        - name: {{ include "rondo.variable" $name }}
          valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $key }} } }
        {{- end }}
        {{- range $name, $value := $values.settings }}
        - name: {{ include "rondo.variable" $name }}
          # Helm reads large numbers as fractions.
          value: {{ if kindIs "float64" $value }}{{ $value | int64 | quote }}{{ else }}{{ $value | quote }}{{ end }}
        {{- end }}
      ports:
        {{- if eq $role "api" }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: metrics, containerPort: 9090 }
      # A worker answers only on the port of its metrics.
      {{- $port := eq $role "api" | ternary "http" "metrics" }}
      startupProbe:
        httpGet: { path: /healthz, port: {{ $port }} }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: {{ $port }} }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: {{ $port }} }
        periodSeconds: 5
        timeoutSeconds: 5
      {{- if eq $role "api" }}
      lifecycle:
        # Until the Service no longer names this pod.
        preStop: { exec: { command: [sleep, "5"] } }
      {{- end }}
      resources:
        {{- toYaml $own.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: data, mountPath: /var/lib/rondo }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: data
      emptyDir: { sizeLimit: {{ $own.dataSize }} }
    - name: tmp
      emptyDir: { sizeLimit: 1Gi }
  {{- with $own.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- else }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "rondo.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ $role }}
  {{- end }}
{{- end }}
