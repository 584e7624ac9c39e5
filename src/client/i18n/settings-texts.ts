import { texts } from 'virtual:texts/settings'
import { addPart } from './languages.ts'

// The settings import this file.
addPart('settings', texts)
