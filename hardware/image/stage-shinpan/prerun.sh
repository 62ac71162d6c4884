#!/bin/bash -e
# pi-gen: begin with what the stage before has made.
if [ ! -d "${ROOTFS_DIR:?}" ]; then
  copy_previous
fi
