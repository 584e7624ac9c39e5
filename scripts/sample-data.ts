import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { makeBigFolder, makeLargeFile } from './samples/bulk.ts'
import { makeSampleTree } from './samples/sample-tree.ts'
import { makeTortureNames } from './samples/torture-names.ts'

/** `npm run sample-data -- FOLDER` creates a folder of sample files to try the product with. */
const [folder] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-')) {
  console.error('Usage: npm run sample-data -- FOLDER')
  process.exit(2)
}
const target = path.resolve(process.env['INIT_CWD'] ?? '.', folder)
await mkdir(target, { recursive: true })
await makeSampleTree(target, Date.now())
await makeTortureNames(path.join(target, 'names'))
makeBigFolder(path.join(target, 'big'), 100_000)
makeLargeFile(path.join(target, 'large.bin'), 200 * 1024 * 1024)
console.log(`Sample data is in ${target}`)
