import { addEnglish } from './languages.ts'
import { messages } from './locales/en.po?drop?lingui'

// The card through which guests send files imports this file.
addEnglish(messages)
