import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { noticeText } from './notice.ts'
import { root } from './shipped-packages.ts'

/** `npm run notice` regenerates the file NOTICE. A test fails when this file is out of date. */
writeFileSync(path.join(root, 'NOTICE'), noticeText())
