{{- define "tabularium.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tabularium.image" -}}
{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
{{- end -}}

{{- define "tabularium.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "tabularium.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end -}}

{{- define "tabularium.pod" -}}
metadata:
  labels:
    {{- include "tabularium.labels" . | nindent 4 }}
  annotations:
    # New settings start new pods.
    tabularium/settings: {{ printf "%s %s" (toJson .Values.settings) (toJson .Values.pooled) | sha256sum }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # More than shutdown-grace and the longest request.
  terminationGracePeriodSeconds: 60
  securityContext:
    {{- include "tabularium.podSecurity" . | nindent 4 }}
  containers:
    - name: tabularium
      image: {{ include "tabularium.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: ["serve", "--config", "/etc/tabularium/settings/tabularium.yaml"]
      {{- if .Values.existingSecret }}
      envFrom:
        - secretRef:
            name: {{ .Values.existingSecret }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8080
      startupProbe:
        httpGet:
          path: {{ index .Values.settings "base-path" | default "" }}/health/live
          port: http
        periodSeconds: 2
        # The first start of a new version changes the schema.
        failureThreshold: 300
      livenessProbe:
        httpGet:
          path: {{ index .Values.settings "base-path" | default "" }}/health/live
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet:
          path: {{ index .Values.settings "base-path" | default "" }}/health/ready
          port: http
        periodSeconds: 2
        timeoutSeconds: 3
        failureThreshold: 2
      securityContext:
        {{- include "tabularium.containerSecurity" . | nindent 8 }}
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: temporary
          mountPath: /tmp
        - name: settings
          mountPath: /etc/tabularium/settings
          readOnly: true
        - name: setup
          mountPath: /etc/tabularium/setup
          readOnly: true
        {{- if .Values.keysSecret }}
        - name: keys
          mountPath: /etc/tabularium/keys
          readOnly: true
        {{- end }}
  volumes:
    {{- if eq .Values.database "postgres" }}
    - name: data
      emptyDir: {}
    {{- end }}
    - name: temporary
      emptyDir: {}
    - name: settings
      configMap:
        name: {{ .Release.Name }}-settings
    - name: setup
      secret:
        secretName: {{ .Values.setupSecret }}
    {{- if .Values.keysSecret }}
    - name: keys
      secret:
        secretName: {{ .Values.keysSecret }}
    {{- end }}
  nodeSelector:
    {{- toYaml .Values.nodeSelector | nindent 4 }}
  tolerations:
    {{- toYaml .Values.tolerations | nindent 4 }}
  affinity:
    {{- toYaml .Values.affinity | nindent 4 }}
{{- end -}}
