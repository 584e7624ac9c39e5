import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  chunksInCycles,
  filesOf,
  guestScreens,
  lateParts,
  lateScriptsOf,
  screens,
  type BuildManifest,
} from './screen-sizes.ts'

/**
 * This script compares the size of the built client with the limits for a first visit, and the sizes of the viewers, of the languages and of
 * the editor with theirs. It also reports chunks that import each other. Run the build first.
 */
const clientFolder = path.resolve(import.meta.dirname, '../dist/client')
const manifest = JSON.parse(
  readFileSync(path.join(clientFolder, '.vite/manifest.json'), 'utf8'),
) as BuildManifest

const gzipBytes = (files: readonly string[]) =>
  files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(path.join(clientFolder, file)), { level: 9 }).length,
    0,
  )
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

/** Reports the size of a part, and makes the check fail when the part is too large. */
function report(name: string, files: readonly string[], maxBytes: number): void {
  const bytes = gzipBytes(files)
  const verdict = bytes <= maxBytes ? 'ok' : 'TOO LARGE'
  console.log(`${name}: ${kilobytes(bytes)} of at most ${kilobytes(maxBytes)} gzip: ${verdict}`)
  if (bytes > maxBytes) process.exitCode = 1
}

const cyclic = chunksInCycles(manifest)
if (cyclic.length > 0) {
  console.log(`These chunks import each other: ${cyclic.join(', ')}. See scripts/screen-chunks.ts.`)
  process.exitCode = 1
}

for (const screen of [...screens, ...guestScreens]) {
  const { scripts, styles } = filesOf(manifest, screen)
  report(`${screen.name} scripts`, scripts, screen.scriptBytes)
  report(`${screen.name} styles`, styles, screen.styleBytes)
}
for (const part of lateParts)
  report(path.basename(part.view, '.tsx'), lateScriptsOf(manifest, part), part.scriptBytes)

/** The largest texts of a language, in bytes (gzip): those before the first rows, and those that follow them. */
const textLimits = { first: 9000, later: 15_000 }
const textFiles = readdirSync(path.join(clientFolder, 'assets')).filter((file) =>
  /^texts-.*\.json$/.test(file),
)
for (const [part, maxBytes] of Object.entries(textLimits)) {
  const files = textFiles.filter((file) => file.endsWith(`-${part}.json`)).map((file) => `assets/${file}`)
  const [largest = ''] = files.toSorted((a, b) => gzipBytes([b]) - gzipBytes([a]))
  report(`texts of a language, ${part} (largest of ${files.length})`, [largest], maxBytes)
}
