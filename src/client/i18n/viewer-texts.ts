import { texts } from 'virtual:texts/viewer'
import { addPart } from './languages.ts'

// The open files of guests import this file. Users have these texts in the part `later`, with those of prompts and menus.
addPart('viewer', texts)
