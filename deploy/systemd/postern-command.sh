#!/bin/sh
# /usr/local/bin/postern: runs a command with the settings and as the user of postern.service, for root (`sudo postern doctor`).
# Node reads the file as systemd does; a shell would misread the & of a database URL.
exec setpriv --reuid=postern --regid=postern --init-groups /opt/postern/bin/node --env-file=/etc/postern/postern.env \
  /opt/postern/lib/cli/bin/postern.js "$@"
