/**
 * The most common words in passwords, in lower case. A password that consists only of words from this list is too easy
 * to guess.
 */
export const commonWords: readonly string[] = (
  'password passwort passwd passw pass pwd secret geheim access login logon user username admin administrator root guest test ' +
  'testing tester demo sample example default changeme change temp temporary letmein let me in welcome willkommen bienvenue ' +
  'bienvenido hello hallo hola bonjour qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc ' +
  'asdf qwer zxcv iloveyou ilove love you loveyou mylove forever together beautiful princess sunshine monkey dragon master ' +
  'superman batman spiderman pokemon naruto starwars football baseball basketball soccer hockey tennis fussball liverpool ' +
  'arsenal chelsea barcelona realmadrid manchester united juventus whatever trustno trust noone nothing shadow michael jordan ' +
  'jennifer michelle jessica ashley daniel charlie andrew thomas robert william anthony matthew joshua amanda samantha ' +
  'nicole melissa stephanie elizabeth victoria alexander alexandra christian christopher benjamin nicholas jonathan ' +
  'summer winter spring autumn fall january february march april may june july august september october november december ' +
  'monday tuesday wednesday thursday friday saturday sunday chocolate computer internet google facebook youtube microsoft ' +
  'windows linux ubuntu debian apple samsung server storage cloud filebrowser file browser files stowage network system ' +
  'security secure private company office home house family mother father freedom killer hunter ranger soldier warrior ' +
  'ninja samurai wizard matrix phoenix tigger tiger lion eagle falcon panther bulldog mustang ferrari porsche mercedes ' +
  'corvette yamaha harley kawasaki metallica slipknot nirvana guitar music dancer angel angels heaven jesus christ ' +
  'blessed god lord cheese cookie banana orange cherry peanut pepper ginger butter coffee whiskey silver golden diamond ' +
  'purple yellow green black white blue red pink money dollar million lucky number one two three four five six seven ' +
  'eight nine ten zero the my is and or for not this that your our new best super mega ultra big good bad baby girl boy ' +
  'man men women woman lady king queen prince star stars moon rock rocks sexy hot cool fuck fuckyou fucking asshole bitch ' +
  'shit please thank thanks open sesame opensesame abracadabra starfish dolphin butterfly rainbow snowflake snowball ' +
  'midnight blink gaming gamer minecraft fortnite roblox counterstrike warcraft america american canada london paris ' +
  'berlin germany france england russia moscow china japan tokyo india brazil mexico'
).split(' ')

/** Common passwords that the rules in `password-policy.ts` would not find. */
export const commonPhrases: ReadonlySet<string> = new Set([
  'correcthorsebatterystaple',
  'tobeornottobe',
  'maytheforcebewithyou',
  'thequickbrownfox',
  'thisisapassword',
  'thisismypassword',
  'iwanttobelieve',
  'rememberme',
  'donotenter',
  'nopasswordneeded',
  'idontknow',
  'lifeisgood',
  'neverforget',
  'mypasswordispassword',
  'onetwothreefour',
])

/** Rows and columns of keyboards, the alphabet and the digits: sequences that people type as passwords. */
export const keyboardSequences: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiopü',
  'azertyuiopqsdfghjklm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1a2b3c4d5e6f7g8h9i',
  'a1b2c3d4e5f6g7h8i9',
  '147258369',
  '159357',
  '!@#$%^&*()',
  '!"§$%&/()=',
]
