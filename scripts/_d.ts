import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { filesOf, screens } from './screen-sizes.ts'
const f = process.argv[2]!
const m = JSON.parse(readFileSync(f + '/.vite/manifest.json', 'utf8'))
for (const s of screens.slice(0, 2)) {
  console.log(s.name)
  for (const x of filesOf(m, s).scripts)
    console.log('  ', gzipSync(readFileSync(f + '/' + x), { level: 9 }).length, x)
}
