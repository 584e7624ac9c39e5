/** A chunk in the manifest of the build: its file, its static imports and its style sheets. */
export type ManifestChunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
/** The chunks of the build, keyed by the path of their source file. */
export type BuildManifest = Readonly<Record<string, ManifestChunk>>

/**
 * A screen of the client with its size limits. Before a browser can show the screen, it fetches the entry script and
 * the listed views, with everything that they import statically.
 */
export type ScreenSizeLimits = {
  readonly name: string
  readonly views: readonly string[]
  readonly scriptBytes: number
  readonly styleBytes: number
}

/** The screens with their size limits for a first visit, in bytes after gzip compression (1 kB is 1,000 bytes). */
export const screens: readonly ScreenSizeLimits[] = [
  { name: 'login', views: ['features/login/login-screen.tsx'], scriptBytes: 95_000, styleBytes: 18_000 },
  {
    name: 'listing',
    views: ['app/frame.tsx', 'features/files/files-screen.tsx'],
    scriptBytes: 140_000,
    styleBytes: 18_000,
  },
]

/**
 * Returns the files that a screen needs. Throws for a view that the build does not contain, because its size limit
 * would otherwise not be checked.
 */
export function filesOf(
  manifest: BuildManifest,
  { views }: ScreenSizeLimits,
): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const seen = new Set<string>()
  const add = (key: string): void => {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`The build has no ${key}.`)
    if (seen.has(key)) return
    seen.add(key)
    scripts.add(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
    for (const needed of chunk.imports ?? []) add(needed)
  }
  for (const key of ['index.html', ...views]) add(key)
  return { scripts: [...scripts], styles: [...styles] }
}
