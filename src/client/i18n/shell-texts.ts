import { texts } from 'virtual:texts/shell'
import { addPart } from './languages.ts'

// The shell imports this file.
addPart('shell', texts)
