import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

/** The module that exports all icons, which would make each icon a part of each screen with an icon. */
const allIcons = readFileSync(
  path.resolve(import.meta.dirname, '../node_modules/lucide/dist/esm/lucide.mjs'),
  'utf8',
)

/** The file of each icon by its names. */
const fileOf = new Map(
  [...allIcons.matchAll(/export \{ (.*?) \} from '\.\/(icons\/.*?)'/g)].flatMap(([, names = '', file = '']) =>
    names.split(', ').map((name) => [name.replace('default as ', ''), file] as const),
  ),
)

/** Makes modules import the files of their icons. */
export const importIconsDirectly: Plugin = {
  name: 'import-icons-directly',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes("from 'lucide'")) return undefined
    return code.replaceAll(/import \{ ([^}]*) \} from 'lucide'/g, (_, names: string) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => {
          const [icon = '', alias = icon] = name.split(' as ')
          return `import ${alias} from 'lucide/dist/esm/${fileOf.get(icon)}'`
        })
        .join('; '),
    )
  },
}
