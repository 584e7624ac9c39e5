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

/**
 * Replaces the imports of icons in the code of a module by imports of their files. Throws for an import in another form,
 * because it would add all icons to the screen. Imports of types remain, which are removed later.
 */
export function withDirectIcons(code: string): string {
  const direct = code.replaceAll(/import \{([^}]*)\} from 'lucide'/g, (_, names: string) =>
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
  const left = /^(?!import type ).*from 'lucide'/m.exec(direct)
  if (left !== null) throw new Error(`An import of icons is not understood: ${left[0]}`)
  return direct
}

/** Makes modules import the files of their icons. */
export const importIconsDirectly: Plugin = {
  name: 'import-icons-directly',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    return id.includes('node_modules') || !code.includes("from 'lucide'") ? undefined : withDirectIcons(code)
  },
}
