/** The product's mark (renderer/app/icon.svg) as a 32 × 32 PNG: the notification area takes no SVG. */
export const TRAY_ICON = [
  "data:image/png;base64,",
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAABQElEQVR42mNgQALibukOQDwfiO8D8X8q4/tQsx0YsA",
  "GgRD8NLMWF+wfSclRHQIP9/wBhBwZovAyUA+Yz0CjBEZ0wGfApCCzpBWNaOgKrA9SCCv5fufPoPwyA2CAxujlg1ro9",
  "/9HBjcev/689egMFdyzdTRsHbDt6AcMBX3/9+3///V8UDHIETRyQ170AwwELth37Xz1rExiDLKapA0C4e9Hm/x8+fw",
  "NjEBtZDuQImjsAHx4SDnDKbPm/YtcxMAaxaeKAXecf/vcs6MHAMXXTMNIQLkdQ5ABc+PPPfxgOAIXE8HPAgEfBgCfC",
  "QZ0N8RVkVHPAsVuv4MUzMgYV2+gAVLzTLReAKi50AKrgqOaApNb5GFUzMgZV3egAVMVTzQGEMCkNGgZaNreIadINik",
  "bpgDfLB7ZjMuBds0HROR3I7jkACo30Xp4sssIAAAAASUVORK5CYII=",
].join("");
