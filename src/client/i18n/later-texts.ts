import { texts } from 'virtual:texts/later'
import { addPart } from './languages.ts'

// Code that shows texts of this part imports this file, or is loaded after it.
addPart('later', texts)
