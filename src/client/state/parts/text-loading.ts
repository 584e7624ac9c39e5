/** The loads of translated texts that are under way. */
const loads = new Set<Promise<void>>()

/** Lets parts of the page that arrive from now on wait until the load has ended. The load never rejects. */
export function waitForTexts(load: Promise<void>): void {
  loads.add(load)
  void load.then(() => loads.delete(load))
}

/** Returns a promise for the end of the loads of texts that are under way, or null when there are none. */
export const loadingTexts = (): Promise<unknown> | null => (loads.size === 0 ? null : Promise.all(loads))
