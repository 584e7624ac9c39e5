import { readTestFont, woffOf } from '../kit/fonts.ts'
import type { FileTree } from '../kit/tree.ts'
import { bookFiles } from './book-files.ts'
import { comicFiles } from './comic-files.ts'
import { decodedFiles, imageFiles } from './image-files.ts'
import { convertedFiles, mediaFiles } from './media-files.ts'
import { modelFiles } from './model-files.ts'
import { paletteFiles } from './palette-files.ts'
import { pdfFiles } from './pdf-files.ts'
import { tableFiles } from './table-files.ts'
import { textFiles } from './text-files.ts'
import { treeFiles } from './tree-files.ts'
import { damagedFiles, hostileFiles, unsupportedFiles } from './unshown-files.ts'

const font = readTestFont()

/** The files of the servers of the component tests, in a folder for each component. */
export const componentFiles: FileTree = {
  fonts: {
    'plain.ttf': font,
    // The name would break out of a style sheet that contained it.
    'a"; } * { display: none } b.WOFF': woffOf(font),
    'cut.otf': font.subarray(0, 2000),
    'text.woff2': 'not a font',
  },
  models: modelFiles,
  damaged: damagedFiles,
  unsupported: unsupportedFiles,
  hostile: hostileFiles,
  palette: paletteFiles,
  scopes: { '.stash': { inner: {} }, 'a%2Fb #?&+.txt': 'odd' },
}

/** Files that are made only for the tests that ask for them. Each group becomes a folder of its name. */
export const fileGroups = {
  books: bookFiles,
  comics: comicFiles,
  converted: convertedFiles,
  decoded: decodedFiles,
  images: imageFiles,
  media: mediaFiles,
  pdf: pdfFiles,
  tables: tableFiles,
  texts: textFiles,
  trees: treeFiles,
} satisfies Readonly<Record<string, () => Promise<FileTree>>>

export type FileGroup = keyof typeof fileGroups
