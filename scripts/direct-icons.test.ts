import { expect, test } from 'vitest'
import { withDirectIcons } from './direct-icons.ts'

test.each([
  "import { Folder, Search as Magnifier } from 'lucide'",
  "import {\n  Folder,\n  Search as Magnifier,\n} from 'lucide'",
])('%j becomes one import for each icon', (code) => {
  expect(withDirectIcons(code)).toBe(
    "import Folder from 'lucide/dist/esm/icons/folder.mjs'; import Magnifier from 'lucide/dist/esm/icons/search.mjs'",
  )
})

test('an import of types stays', () => {
  const code = "import type { IconNode } from 'lucide'"
  expect(withDirectIcons(code)).toBe(code)
})

test.each(["import * as icons from 'lucide'", "export { Folder } from 'lucide'"])('%j is refused', (code) => {
  expect(() => withDirectIcons(code)).toThrow('An import of icons is not understood')
})
