import { texts } from 'virtual:texts/drop'
import { addPart } from './languages.ts'

// The card through which guests send files imports this file.
addPart('drop', texts)
