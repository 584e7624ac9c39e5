import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { noticeText } from './notice.ts'
import { root } from './shipped-packages.ts'

/** `npm run notice`: writes NOTICE anew. A test says when that is due. */
writeFileSync(path.join(root, 'NOTICE'), noticeText())
