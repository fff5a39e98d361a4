{{- define "tabularium.asOwner" -}}
# The setup may need variables of the service. Of two values of a variable the last one counts.
envFrom:
  - secretRef:
      name: {{ .Values.existingSecret }}
  - secretRef:
      name: {{ .Values.ownerSecret }}
securityContext:
  {{- include "tabularium.containerSecurity" . | nindent 2 }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: temporary
    mountPath: /tmp
  - name: setup
    mountPath: /etc/tabularium/setup
    readOnly: true
{{- end -}}
