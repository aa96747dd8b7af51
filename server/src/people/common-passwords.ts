/**
 * Words that people make passwords of, most of them from the top of every list of leaked ones; digits, signs and capitals
 * around them are taken off before a password is looked up here.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password passwort passwd contrasena senha motdepasse wachtwoord parola passord losenord salasana haslo heslo
  letmein welcome welcomeback willkommen bienvenue bemvindo benvenuto iloveyou iloveu ilovemyself teamo teamomucho jetaime
  admin administrator root toor superuser sysadmin webadmin manager supervisor operator user username guest test tester testing
  testpassword default changeme changeit changethis newpassword mypassword thepassword secret topsecret mysecret secretpassword
  access accessdenied login logmein master mastermind masterkey system server computer internet network wireless
  qwerty qwertz azerty qwertyuiop qwertyuiopasdfgh qwertyqwerty asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qazwsxedcrfv
  zaqxsw zaqwsx abcdef abcdefg abcdefgh abcdefghij abcdefghijkl abcabc aaaaaa
  football futbol fussball soccer baseball basketball hockey chelsea liverpool arsenal barcelona realmadrid juventus benfica
  sporting manchester manchesterunited dragon monkey tiger lion eagle falcon wolf shadow ninja samurai batman superman
  spiderman ironman starwars startrek pokemon pikachu minecraft fortnite naruto matrix trustno trustnoone whatever nothing
  sunshine moonlight rainbow butterfly princess prinzessin angel angels babygirl babyboy lovely lover forever beautiful
  flower sweetheart sweety cookie chocolate cheese banana orange pepper ginger summer winter spring autumn
  january february march april june july august september october november december monday friday sunday
  michael jennifer jessica ashley amanda daniel andrew joshua matthew anthony nicole michelle charlie thomas robert
  jordan george hunter taylor justin brandon maggie buster mercedes ferrari porsche corvette mustang harley yamaha
  freedom liberty america canada brasil brazil portugal london berlin paris madrid india pakistan
  company business enterprise office customer service support helpdesk marketing sales accounting
  postern gateway whatsapp whatsappbusiness facebook google microsoft windows android iphone samsung linux ubuntu
  helloworld hello hellohello goodmorning goodluck godbless jesus jesuschrist christ blessed blessing amen
  blink fuckyou fuckoff asshole killer hacker gangster money dollar million billion mother father brother sister family
  correcthorsebatterystaple loremipsum`.split(/\s+/),
)
