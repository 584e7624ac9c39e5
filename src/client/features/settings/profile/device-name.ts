/** The names of a browser and its system, from the `User-Agent` header of its requests. */
export type DeviceName = { readonly browser: string; readonly system: string }

/** The first pattern that matches names the browser: many browsers also contain the names of Chrome and Safari. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** Returns the browser and the system of a `User-Agent` header, or null when it is not that of a known browser. */
export function deviceNameOf(agent: string): DeviceName | null {
  const nameIn = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([pattern]) => pattern.test(agent))?.[1]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  return browser === undefined || system === undefined ? null : { browser, system }
}
