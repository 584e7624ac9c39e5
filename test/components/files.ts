import { readTestFont, woffOf } from '../kit/fonts.ts'
import type { FileTree } from '../kit/tree.ts'
import { modelFiles } from './model-files.ts'
import { paletteFiles } from './palette-files.ts'
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
