import { addEnglish } from './languages.ts'
import { messages } from './locales/en.po?guest?lingui'

// The page of a share imports this file. It shows no texts of the second part of the catalogue before a file is opened.
addEnglish(messages)
