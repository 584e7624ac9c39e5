import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { filesOf, screens, type BuildManifest } from './screen-sizes.ts'

/** This script compares the size of the built client with the limits for a first visit. Run the build first. */
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

for (const screen of screens) {
  const { scripts, styles } = filesOf(manifest, screen)
  for (const [kind, files, maxBytes] of [
    ['scripts', scripts, screen.scriptBytes],
    ['styles', styles, screen.styleBytes],
  ] as const) {
    const bytes = gzipBytes(files)
    const verdict = bytes <= maxBytes ? 'ok' : 'TOO LARGE'
    console.log(
      `${screen.name} ${kind}: ${kilobytes(bytes)} of at most ${kilobytes(maxBytes)} gzip: ${verdict}`,
    )
    if (bytes > maxBytes) process.exitCode = 1
  }
}
