import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../scripts/shipped-packages.ts'
import { billOfMaterials, componentsOfProduct, debianComponents } from './bill-of-materials.ts'
import { isProcessor } from './product.ts'

/**
 * `node packaging/write-bill-of-materials.ts PROCESSOR [FILE]` prints what the product contains. FILE lists the packages of
 * Debian in an image, as `usr/share/stowage/debian-packages` of the image does.
 */
const [processor, debianPackages] = process.argv.slice(2)
if (!isProcessor(processor)) {
  process.stderr.write('usage: node packaging/write-bill-of-materials.ts x64|arm64 [FILE]\n')
  process.exitCode = 2
} else {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const ofDebian = debianPackages === undefined ? [] : debianComponents(readFileSync(debianPackages, 'utf8'))
  process.stdout.write(billOfMaterials(version, [...componentsOfProduct(processor), ...ofDebian]))
}
