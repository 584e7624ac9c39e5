/** A chunk in the manifest of the build: its file, its static imports and its style sheets. */
export type ManifestChunk = {
  readonly file: string
  readonly name?: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
/** The chunks of the build, keyed by the path of their source file. */
export type BuildManifest = Readonly<Record<string, ManifestChunk>>

/**
 * A screen of the client with its size limits. Before a browser can show the screen, it fetches the entry script and
 * the listed chunks, with everything that they import statically. A viewer is named by its source file.
 */
export type ScreenSizeLimits = {
  readonly name: string
  readonly chunks: readonly string[]
  readonly scriptBytes: number
  readonly styleBytes: number
}

/** The screens with their size limits for a first visit, in bytes after gzip compression (1 kB is 1,000 bytes). */
export const screens: readonly ScreenSizeLimits[] = [
  { name: 'login', chunks: ['login'], scriptBytes: 95_000, styleBytes: 18_000 },
  {
    name: 'listing',
    chunks: ['listing'],
    scriptBytes: 140_000,
    styleBytes: 18_000,
  },
  { name: 'share', chunks: ['share'], scriptBytes: 106_000, styleBytes: 18_000 },
]

/**
 * The page of a share with parts that guests open, with size limits slightly above the current sizes. The check reports
 * a part that has come to need code of the listing.
 */
export const guestScreens: readonly ScreenSizeLimits[] = [
  {
    name: 'share with a folder',
    chunks: ['share', 'folder'],
    scriptBytes: 130_100,
    styleBytes: 18_000,
  },
  {
    name: 'share with an album',
    chunks: ['share', 'folder', 'features/share-page/pictures/shared-pictures.ts'],
    scriptBytes: 252_500,
    styleBytes: 20_000,
  },
  {
    name: 'share with its drop box',
    chunks: ['share', 'drop'],
    scriptBytes: 117_000,
    styleBytes: 18_000,
  },
  {
    name: 'share with an image',
    chunks: ['share', 'preview', 'features/viewers/image/image-viewer.tsx'],
    scriptBytes: 138_800,
    styleBytes: 18_000,
  },
]

/** A part of the client that is loaded when it is needed, after the listing and the screen of an open file. */
export type LatePartLimit = { readonly view: string; readonly scriptBytes: number }

/** The chunk of the frame that all viewers have. The first one that is shown loads it. */
const viewerFrame = 'viewer-frame'

/**
 * The maximum size that the editor and each viewer may add to the screen of an open file, in bytes after gzip
 * compression, without workers. The limits of images, media and the editor come from the design of the user interface
 * (chapter 3.3), plus the size of a text's grammar. The other limits are slightly above the current sizes, so that the
 * check reports a library that is added by mistake.
 */
export const lateParts: readonly LatePartLimit[] = [
  { view: viewerFrame, scriptBytes: 3500 },
  { view: 'editor', scriptBytes: 150_000 },
  { view: 'drop', scriptBytes: 8000 },
  { view: 'features/viewers/archive/archive-viewer.tsx', scriptBytes: 8000 },
  { view: 'features/viewers/book/book-viewer.tsx', scriptBytes: 28_500 },
  { view: 'features/viewers/comic/comic-viewer.tsx', scriptBytes: 12_000 },
  { view: 'features/viewers/font/font-viewer.tsx', scriptBytes: 6000 },
  { view: 'features/viewers/html/html-page.tsx', scriptBytes: 15_500 },
  { view: 'features/viewers/image/drawing-viewer.tsx', scriptBytes: 12_000 },
  { view: 'features/viewers/image/image-viewer.tsx', scriptBytes: 12_000 },
  { view: 'features/viewers/markdown/markdown-page.tsx', scriptBytes: 37_000 },
  { view: 'features/viewers/media/audio-viewer.tsx', scriptBytes: 15_000 },
  { view: 'features/viewers/media/video-viewer.tsx', scriptBytes: 15_000 },
  { view: 'features/viewers/model/model-viewer.tsx', scriptBytes: 170_000 },
  { view: 'features/viewers/pdf/pdf-viewer.tsx', scriptBytes: 145_000 },
  { view: 'features/viewers/raw/raw-viewer.tsx', scriptBytes: 12_000 },
  { view: 'features/viewers/table/table-page.tsx', scriptBytes: 10_100 },
  { view: 'features/viewers/text/text-viewer.tsx', scriptBytes: 5000 },
  { view: 'features/viewers/tiff/tiff-viewer.tsx', scriptBytes: 12_000 },
  { view: 'features/viewers/tree/tree-page.tsx', scriptBytes: 8000 },
]

/**
 * Returns the scripts that a part adds to those of the listing, of what follows its rows, and of an open file with the frame of its
 * viewer.
 */
export function lateScriptsOf(manifest: BuildManifest, { view }: Pick<LatePartLimit, 'view'>): string[] {
  const known = ['file', 'later', ...(view === viewerFrame ? [] : [viewerFrame])]
  const loaded = new Set(
    screens.flatMap(({ chunks }) => filesOf(manifest, { chunks: [...chunks, ...known] }).scripts),
  )
  return filesOf(manifest, { chunks: [view] }).scripts.filter((file) => !loaded.has(file))
}

/**
 * Returns the chunks that import themselves through other chunks. Such a chunk can read a constant of another chunk before it
 * has its value. The drawings of a screen are then missing, for example, and nothing reports it.
 */
export function chunksInCycles(manifest: BuildManifest): string[] {
  const reachedFrom = (key: string): Set<string> => {
    const reached = new Set(manifest[key]?.imports)
    // A set yields the values that are added while it is read.
    for (const needed of reached) for (const next of manifest[needed]?.imports ?? []) reached.add(next)
    return reached
  }
  return Object.keys(manifest).filter((key) => reachedFrom(key).has(key))
}

/**
 * Returns the files that a screen needs. Throws for a view that the build does not contain, because its size limit
 * would otherwise not be checked.
 */
export function filesOf(
  manifest: BuildManifest,
  { chunks }: Pick<ScreenSizeLimits, 'chunks'>,
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
  for (const name of ['index.html', ...chunks])
    add(Object.keys(manifest).find((key) => key === name || manifest[key]?.name === name) ?? name)
  return { scripts: [...scripts], styles: [...styles] }
}

/** The screens that a page can begin with, by the names of their chunks. */
export const firstScreens = {
  login: ['features/login/login-screen.tsx'],
  listing: ['app/frame.tsx', 'features/files/files-screen.tsx'],
  share: ['app/start-share.tsx'],
  folder: ['features/share-page/shared-folder.tsx'],
} satisfies Readonly<Record<string, readonly string[]>>

/** The parts of the page that follow the first rows, and the other screens of users. Guests do not load them. */
export const laterScreensOfUsers = {
  later: ['app/after-rows.tsx', 'features/files/after-rows.ts', 'operations/after-rows.ts'],
  file: ['features/files/file-screen.tsx'],
  editor: ['features/editor/editor.tsx'],
  settings: ['app/settings/settings-screen.tsx'],
} satisfies Readonly<Record<string, readonly string[]>>

/** The pictures of a shared folder, which follow its first rows. */
export const picturesOfGuests = 'features/share-page/pictures/shared-pictures.ts'

/** The parts of the page of a share that are loaded when they are needed. */
export const laterPartsOfGuests = {
  preview: ['features/share-page/open-file/shared-file.tsx'],
  photo: ['photos/load-photo-facts.ts'],
  unlock: ['features/share-page/unlock-card.tsx'],
  drop: ['features/share-page/drop/drop-card.tsx'],
  guest: ['ui/menu/menu.tsx', 'listing/after-rows.ts', 'features/share-page/dialogs.ts'],
} satisfies Readonly<Record<string, readonly string[]>>
