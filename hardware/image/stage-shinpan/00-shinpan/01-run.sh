#!/bin/bash -e
# pi-gen, outside the image: unpack the release into it.
install -d "${ROOTFS_DIR:?}/opt/shinpan-release"
tar -C "$ROOTFS_DIR/opt/shinpan-release" --strip-components=1 -xf "${SHINPAN_RELEASE:?}"
# Memory is counted only where the kernel is told so, and the service has a limit.
if [ -f "$ROOTFS_DIR/boot/firmware/cmdline.txt" ] && ! grep -q cgroup_enable=memory "$ROOTFS_DIR/boot/firmware/cmdline.txt"; then
  sed -i '1s/$/ cgroup_enable=memory/' "$ROOTFS_DIR/boot/firmware/cmdline.txt"
fi
