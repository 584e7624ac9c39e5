import { rotatedJpeg } from '../kit/images.ts'
import type { FileTree } from '../kit/tree.ts'

/** Files with names that are found by some of their letters, in the folder of a user of their own. */
export const paletteFiles: FileTree = {
  Letters: { 'page 1.md': '', 'page 2.md': '', 'page 10.md': '' },
  Films: { 'Générique de fin.md': '' },
  Camera: {
    'IMG_4.jpg': '',
    ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`IMG_0${n + 100}4.jpg`, ''])),
  },
  'user-settings': { 'control.ts': '', 'usctl.md': '' },
  Odd: {
    'a%2Fb': '',
    '#?&+': '',
    '🎉 fun.png': '',
    'تقرير المبيعات.md': '',
    [`long ${'x'.repeat(246)} end`]: '',
    'Deeds and annexes of the year 2024': {
      'Letters to the other parties and to their lawyers': {
        'A remark on the matter before the turnover of the year is mentioned, with a few notes.pdf': '',
      },
    },
  },
  Pictures: { 'sunset.jpg': await rotatedJpeg(800, 600) },
}
