import { texts } from 'virtual:texts/guest'
import { addPart } from './languages.ts'

// The page of a share imports this file. It shows no texts of the part `later` before a file is opened.
addPart('guest', texts)
