import path from 'node:path'
import { assembleProduct, isProcessor } from './product.ts'

/** `node packaging/assemble.ts PROCESSOR FOLDER` makes the folder that packages and images contain. */
const [processor, into] = process.argv.slice(2)
if (!isProcessor(processor) || into === undefined) {
  process.stderr.write('usage: node packaging/assemble.ts x64|arm64 FOLDER\n')
  process.exitCode = 2
} else assembleProduct({ processor, into: path.resolve(into) })
