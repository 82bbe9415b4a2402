import type { Stores } from "./stores.ts";

/**
 * Takes the standard of this host for what a window has not chosen itself. `first` says that nothing at all was kept
 * for this window: only then the row spacing is taken too, which is kept together with how the window was left.
 */
export async function adoptStandard(
  { settings, preferences, layout }: Pick<Stores, "settings" | "preferences" | "layout">,
  first: boolean,
): Promise<void> {
  await settings.load();
  const view = settings.store.getState().view.value?.settings.view;
  if (view === undefined) return;
  preferences.adopt(view);
  if (first) layout.setDensity(view.density);
}
