#!/bin/sh
# In the package for Debian this is /usr/bin/postern, with the tarball /usr/local/bin/postern. For root (`sudo postern doctor`), it runs a
# command with the settings and as the user of postern.service; for other users, with their own.
[ "$(id -u)" = 0 ] || exec /opt/postern/bin/postern "$@"
# Node reads the file as systemd does; a shell would misread the & of a database URL.
exec setpriv --reuid=postern --regid=postern --init-groups /opt/postern/bin/node --env-file=/etc/postern/postern.env \
  /opt/postern/lib/cli/bin/postern.js "$@"
