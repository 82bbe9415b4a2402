/**
 * The options every window is made with (electron-desktop R1, R8), set although most are defaults. Pages are
 * developed in the browser front, so that developer tools, which equal operator rights, never open here. The
 * spelling checker would fetch dictionaries from elsewhere (R9).
 */
export const WINDOW_SECURITY = Object.freeze({
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  navigateOnDragDrop: false,
  devTools: false,
  spellcheck: false,
});
