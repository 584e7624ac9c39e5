#!/bin/sh
# `stowage` in the container image, also for `docker exec`: always runs as the user of the server.
exec /opt/stowage/runtime/node /opt/stowage/image/entry-point.js "$@"
