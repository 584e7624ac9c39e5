import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const library = path.resolve(import.meta.dirname, '../node_modules/pdfjs-dist')

/** The folders of pdf.js that its code loads file by file, and the places of their copies beside the scripts. */
const folders = [
  { from: 'cmaps', to: 'assets/pdf/character-maps', wanted: /\.bcmap$/ },
  { from: 'standard_fonts', to: 'assets/pdf/fonts', wanted: /\.(pfb|ttf)$/ },
  // QuickJS, which runs the scripts of documents, stays out.
  { from: 'wasm', to: 'assets/pdf/decoders', wanted: /^(jbig2|openjpeg|qcms)[\w]*\.(wasm|js)$/ },
]

/**
 * Adds the character maps, the standard fonts and the image decoders of pdf.js to the build, with their licences. The library requests the
 * files by these fixed names, so the names contain no hash, and browsers revalidate the files.
 */
export const pdfFiles: Plugin = {
  name: 'pdf-files',
  apply: 'build',
  buildStart() {
    if (this.environment.name !== 'client') return
    for (const { from, to, wanted } of folders)
      for (const name of readdirSync(path.join(library, from))) {
        const isLicence = name.startsWith('LICENSE') && !name.endsWith('QUICKJS')
        if (!isLicence && !wanted.test(name)) continue
        this.emitFile({
          type: 'asset',
          fileName: `${to}/${isLicence ? `${name}.txt` : name}`,
          source: readFileSync(path.join(library, from, name)),
        })
      }
  },
}
