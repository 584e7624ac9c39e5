import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { noticeText } from './notice.ts'
import { root } from './shipped-packages.ts'

/** `npm run notice` writes NOTICE again. A test fails when NOTICE is out of date. */
writeFileSync(path.join(root, 'NOTICE'), noticeText())
