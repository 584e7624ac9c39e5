import { addEnglish } from './languages.ts'
import { messages } from './locales/en.po?lingui'

// Code that shows texts of the second part of the catalogue imports this file, or is loaded after it.
addEnglish(messages)
