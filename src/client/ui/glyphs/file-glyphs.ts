/** The drawing for a kind of file on a 24 px grid: its colour token, its outline, and the mark inside the outline. */
export type Glyph = {
  readonly hue:
    | 'folder'
    | 'image'
    | 'video'
    | 'audio'
    | 'document'
    | 'sheet'
    | 'slides'
    | 'archive'
    | 'code'
    | 'pdf'
    | 'model'
  /** The outline around the mark. With `none` only the mark is drawn. */
  readonly body: 'page' | 'folder' | 'none'
  readonly mark: string
}

export const glyphs = {
  folder: { hue: 'folder', body: 'folder', mark: '' },
  'folder-open': { hue: 'folder', body: 'folder', mark: 'M3 19.5 6 12.500h15.500L18.500 19.500z' },
  'folder-shared': {
    hue: 'folder',
    body: 'folder',
    mark: 'M10 12.800a1.600 1.600 0 1 0 .01 0M14.500 12.800a1.600 1.600 0 1 0 .01 0M7.500 18c.4-2 4.600-2 5 0m-.5 0c.4-2 4.600-2 5 0',
  },
  link: {
    hue: 'code',
    body: 'page',
    mark: 'M10.800 15.200 14 12m-2.600-.9.9-.9a2 2 0 0 1 2.800 2.800l-.9.9m-3.600 1.300-.9.9a2 2 0 0 0 2.800 2.800l.9-.9',
  },
  'link-broken': { hue: 'pdf', body: 'page', mark: 'M12 10.500v4m0 2.600v.1' },
  image: {
    hue: 'image',
    body: 'page',
    mark: 'm7.500 18 3-4 2 2.400 1.600-1.900 2.400 3.500zM9.200 10.800a1 1 0 1 0 .01 0',
  },
  raw: {
    hue: 'image',
    body: 'page',
    mark: 'M12 11a3.300 3.300 0 1 0 .01 0m-.01 2.200a1.100 1.100 0 1 0 .01 0',
  },
  video: { hue: 'video', body: 'page', mark: 'M10 11.400v6l5-3z' },
  audio: {
    hue: 'audio',
    body: 'page',
    mark: 'M10.500 17v-5.200l4.300-.9v5.200M9.200 15.700a1.300 1.300 0 1 0 .01 0m4.290-.9a1.300 1.300 0 1 0 .01 0',
  },
  pdf: {
    hue: 'pdf',
    body: 'page',
    mark: 'M8 17.800c2.300-1.400 3.900-4.500 4-7 .1 2.700 1.600 4.800 4 5.300-2.700-.1-5.500.5-8 1.700z',
  },
  document: { hue: 'document', body: 'page', mark: 'M8.500 11.500h7m-7 2.750h7m-7 2.750h4.500' },
  sheet: { hue: 'sheet', body: 'page', mark: 'M8 11h8v6.500H8zm0 2.200h8m-8 2.150h8M11 11v6.500' },
  slides: { hue: 'slides', body: 'page', mark: 'M7.800 11.300h8.400v5.200H7.800zm4.200 5.200v1.800' },
  text: { hue: 'code', body: 'page', mark: 'M8.500 11.500h7m-7 2.750h7m-7 2.750h5' },
  markdown: {
    hue: 'code',
    body: 'page',
    mark: 'M7.500 17v-4.500l2 2.300 2-2.300V17m3.500-4.500V17m-1.500-1.500L15 17l1.500-1.500',
  },
  code: { hue: 'code', body: 'page', mark: 'm10 11.800-2.300 2.500L10 16.800m4-5 2.300 2.500L14 16.800' },
  json: {
    hue: 'code',
    body: 'page',
    mark: 'M10.300 11c-1.800 0-.6 3.200-2.300 3.200 1.700 0 .5 3.300 2.300 3.300m3.400-6.500c1.800 0 .6 3.200 2.300 3.200-1.700 0-.5 3.300-2.300 3.300',
  },
  web: {
    hue: 'document',
    body: 'page',
    mark: 'M12 10.800a3.400 3.400 0 1 0 .01 0m0 0c-2.200 2-2.200 4.800 0 6.800 2.200-2 2.200-4.800 0-6.800M8.700 14.200h6.600',
  },
  css: {
    hue: 'audio',
    body: 'page',
    mark: 'M10.500 11 9.500 17.500M14 11l-1 6.500M8 13.100h7.500M7.600 15.500h7.500',
  },
  database: {
    hue: 'sheet',
    body: 'page',
    mark: 'M8.500 11.700c0-1.300 7-1.300 7 0v4.800c0 1.300-7 1.300-7 0zm0 0c0 1.300 7 1.300 7 0m-7 2.400c0 1.300 7 1.300 7 0',
  },
  archive: {
    hue: 'archive',
    body: 'page',
    mark: 'M12 5v1.200m0 1.300v1.200M12 9.800v1m-1.300 1.700h2.600v3.200a1.300 1.300 0 0 1-2.600 0z',
  },
  disk: {
    hue: 'archive',
    body: 'page',
    mark: 'M12 10.700a3.600 3.600 0 1 0 .01 0m-.01 2.700a.9.9 0 1 0 .01 0',
  },
  package: {
    hue: 'archive',
    body: 'page',
    mark: 'm12 10.500 3.600 1.900v4L12 18.300l-3.600-1.900v-4zm0 3.800v4m0-4 3.600-1.900M12 14.300l-3.600-1.900',
  },
  font: { hue: 'slides', body: 'page', mark: 'm8.300 17.500 3.700-7 3.700 7m-6.100-2.400h4.800' },
  model: {
    hue: 'model',
    body: 'page',
    mark: 'm12 10.300 3.500 2v4L12 18.300l-3.500-2v-4zm0 4v4m0-4 3.500-2M12 14.300l-3.500-2',
  },
  book: {
    hue: 'slides',
    body: 'page',
    mark: 'M12 12c-1-.9-2.400-1.200-4-1v6c1.600-.2 3 .1 4 1 1-.9 2.400-1.200 4-1v-6c-1.600-.2-3 .1-4 1zm0 0v6',
  },
  calendar: {
    hue: 'pdf',
    body: 'page',
    mark: 'M8.200 11.700h7.600v6H8.200zm0 2h7.600M10 10.700v1.400m4-1.400v1.400',
  },
  key: {
    hue: 'archive',
    body: 'page',
    mark: 'M10 12.900a1.700 1.700 0 1 0 .01 0m1.600 1.600h4.400m-1.200 0v1.600',
  },
  program: { hue: 'code', body: 'page', mark: 'm8.300 12 2.200 2.100-2.200 2.100M12 16.500h3.700' },
  log: {
    hue: 'code',
    body: 'page',
    mark: 'M8.300 11.500h.1m1.900 0h5.400m-7.400 2.750h.1m1.900 0h5.400M8.300 17h.1m1.900 0h3.400',
  },
  settings: {
    hue: 'code',
    body: 'page',
    mark: 'M8 12.300h2.500m3 0H16m-8 3.900h4.500m3 0h.5M12 11a1.300 1.300 0 1 0 .01 0m2 3.900a1.300 1.300 0 1 0 .01 0',
  },
  torrent: { hue: 'sheet', body: 'page', mark: 'M12 10.700v4.500m-2-2 2 2 2-2M8.500 17.500h7' },
  subtitle: {
    hue: 'video',
    body: 'page',
    mark: 'M7.700 11.500h8.600v5.700H7.700zm1.800 2h2m1.200 0h1.800m-5 1.900h1m1.200 0h2.800',
  },
  unknown: { hue: 'code', body: 'page', mark: '' },
} as const satisfies Readonly<Record<string, Glyph>>

export type GlyphName = keyof typeof glyphs
