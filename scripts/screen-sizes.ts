/** What the build's manifest says of a file: what it needs at once, and what it asks for later. */
export type Chunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
export type Manifest = Readonly<Record<string, Chunk>>

/** What a browser fetches before a screen stands: the entry and the screen's own views, with all that they need at once. */
export type Screen = {
  readonly name: string
  readonly views: readonly string[]
  readonly scriptBytes: number
  readonly styleBytes: number
}

/** The bars of first visits, gzip, in bytes (kB of 1,000). */
export const screens: readonly Screen[] = [
  { name: 'login', views: ['features/login/login-screen.tsx'], scriptBytes: 95_000, styleBytes: 18_000 },
  {
    name: 'listing',
    views: ['app/frame.tsx', 'features/files/files-screen.tsx'],
    scriptBytes: 140_000,
    styleBytes: 18_000,
  },
]

/** The files that a screen needs. A view that the build does not know is an error: the bar would pass unmeasured. */
export function filesOf(manifest: Manifest, { views }: Screen): { scripts: string[]; styles: string[] } {
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
