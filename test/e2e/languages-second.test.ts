import { languageGroups, walkThroughScreens } from './languages.ts'

walkThroughScreens(languageGroups.second)
