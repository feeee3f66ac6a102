function pairs(text: string): Map<string, string> {
  return new Map(
    text
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [base = '', ...forms] = line.trim().split(' ')
        return forms.map((form): [string, string] => [form, base])
      }),
  )
}

function list(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Each line: the base, then the forms that no rule brings to it. */
export const irregular = pairs(`
run ran running
use used using
see saw seen
do doing
free freed
agree agreed
guarantee guaranteed
color colour colours colors coloured
behavior behaviour behaviours behaviors
favor favour favours favors
catalog catalogue catalogues catalogs
dialog dialogue dialogues dialogs
analyze analyse analysed analysing
license licence licences licenses
center centre centres centered centred
gray grey
artifact artefact artefacts artifacts
fulfill fulfil fulfilled
enroll enrol enrolled
judgment judgement
acknowledgment acknowledgement
oauth oauth2
write wrote written
send sent
keep kept
hold held
build built
throw threw thrown
break broke broken
hide hid hidden
choose chose chosen
give gave given
take took taken
show shown
know knew known
make made
find found
lose lost
get got gotten
go went gone
come came
begin began begun
bring brought
catch caught
buy bought
think thought
teach taught
seek sought
feel felt
feed fed
lead led
meet met
mean meant
pay paid
say said
sell sold
tell told
sleep slept
spend spent
speak spoken spoke
steal stole stolen
stand stood
understand understood
wake woke woken
draw drew drawn
drive drove driven
eat ate eaten
fall fell fallen
forget forgot forgotten
freeze froze frozen
grow grew grown
stick stuck
swear swore sworn
tear tore torn
wear wore worn
withdraw withdrew withdrawn
override overrode overridden
overwrite overwrote overwritten
rewrite rewrote rewritten
rebuild rebuilt
resend resent
deal dealt
leave left leaves
shoot shot
sit sat
swim swam
win won
bind bound
spin spun
man men
woman women
child children
person people persons
index indices indexes
vertex vertices
matrix matrices
appendix appendices
criterion criteria
axis axes
analysis analyses
hypothesis hypotheses
parenthesis parentheses
crisis crises
basis bases
foot feet
mouse mice
life lives
half halves
knife knives
shelf shelves
schema schemata
cookie cookies
movie movies
calorie calories
zombie zombies
dependency dependencies
die dying died
tie tying tied
lie lying lied
panic panicked panicking
mimic mimicked mimicking
quiz quizzes quizzed
gas gases
bus buses
alias aliases aliased aliasing
canvas canvases
bias biases biased
focus focused focusing focuses focussed
status statuses
plus pluses
lens lenses
iris irises
address addresses addressed addressing
https https
json jsons
api apis
url urls
uri uris
id ids
pr prs
ui uis
db dbs
vm vms
os oses
cpu cpus
gpu gpus
sdk sdks
cdn cdns
pdf pdfs
csv csvs
dto dtos
orm orms
sla slas
slo slos
kpi kpis
regex regexes regexps regexp
enum enums
struct structs
const consts
util utils
param params
arg args
env envs
var vars
func funcs
fn fns
dir dirs
repo repos
config configs
spec specs
`)

/** Words that look like a plural or a verb form and are none. */
export const unfolded = list(`
always alias canvas bias atlas gas lens series species news https http css aws dns tls sass less kubernetes postgres redis
windows js ios macos os sms rss cors xss sas gps ios jenkins travis devops mongoose express sans perhaps whereas
analytics mathematics physics economics politics statistics ethics graphics logistics diagnostics heuristics
setting meeting heading string thing nothing something anything everything during morning evening ceiling sibling
king ring wing spring bring sting swing cling fling sing sling wring being pudding wedding bling outing inning
outstanding underlying overarching upcoming ongoing interesting willing boring
need feed seed speed exceed proceed succeed bleed breed indeed agreed guaranteed hundred kindred sacred naked wicked
shed sled bed red fed led wed embed biped moped infrared united
this thus us yes various previous obvious serious dangerous anonymous synchronous asynchronous continuous ambiguous
does has was is its hers ours theirs yours towards afterwards backwards forwards besides sometimes
rails pandas keras numerics
`)

/** Bases in e, in ways that no rule of endings tells. */
export const keepsE = list(`
hardcode
cache create recreate route reroute delete complete compete deplete note quote vote promote denote devote invite write
rewrite overwrite cite excite ignite recite store restore ignore explore score adore bore core code decode encode explode
transcode recode barcode guide scale downscale upscale inhale exhale console schedule clone phone postpone zone tune prune
fine paste taste waste haste baste dupe come become welcome overcome precede concede supersede impede recede here adhere
interfere scope hope cope slope grope rope name rename time mime prime cause pause use reuse misuse abuse refuse fuse
confuse excuse accuse diffuse house clause please release lease increase decrease base case phase chase erase phrase raise
praise close expose compose propose suppose dispose oppose purpose choose lose rose nose parse sparse verse reverse
traverse converse response license sense dense tense expense defense nurse course source force divorce browse drowse
collapse lapse eclipse analyse paralyse rise revise advise devise supervise surprise comprise compromise promise premise
exercise precise noise poise loose goose cheese false else pulse rinse cleanse immense axe breathe bathe clothe soothe
die tie lie pie toe shoe hoe eye dye free agree see flee tree three degree guarantee referee oversee foresee decree
bike like strike spike make take bake fake shake wake mistake invoke revoke evoke provoke poke smoke joke choke
merge purge charge recharge urge surge emerge converge diverge verge change exchange range arrange rearrange challenge
revenge avenge plunge hinge infringe binge orange judge edge pledge bridge acknowledge budge page package manage damage
engage message stage storage usage image average leverage garbage language gauge triage age
value continue queue issue argue rescue pursue tissue statue venue revenue league dialogue catalogue analogue
acquire require inquire expire inspire retire wire fire hire tire desire admire
size resize freeze squeeze sneeze seize gaze blaze maze
use queue serve conserve observe reserve preserve deserve solve resolve evolve involve dissolve
type stereotype prototype retype style restyle recipe
infinite definite favorite opposite composite suite site website unite
tie untie untype
scrape shape reshape escape landscape tape grape drape ape
probe cube tube tribe describe subscribe unsubscribe transcribe prescribe bribe vibe globe lobe robe
rule overrule module capsule
pipe wipe swipe stripe
drive derive arrive survive revive dive thrive
name game frame blame flame shame tame lame
theme scheme extreme
clone zone tone stone milestone bone
trade grade upgrade downgrade degrade fade shade cascade invade evade persuade blockade parade
mobile file profile compile recompile tile smile style exile reconcile while
face interface surface replace place trace space race pace lace embrace
notice office service practice device price slice dice voice choice invoice
once announce bounce debounce pronounce renounce balance advance enhance finance dance chance instance distance glance
sequence reference difference influence experience evidence fence sentence silence
reduce produce reproduce introduce deduce induce
`)

/** Bases without e, where a rule of endings would add one. */
export const withoutE = list(`
sync async resync desync model label cancel travel level signal total rebel excel compel expel propel patrol tunnel marshal
channel control enroll dial initial fulfil distil equal rival parallel
repeat treat heat beat cheat defeat float coat boat eat seat combat format chat
login plugin admin cabin origin margin robin begin train
input output put shut cut
valid invalid forbid grid rapid solid liquid bid rid
monad ipad ad
develop envelop gallop
zip gossip equip
civil pencil council devil
calendar scholar sugar solar
bias alias focus canvas gas process access bus plus census virus
pay play deploy copy
fix mix box tax
panic mimic traffic public metric topic generic static
menu emu
murmur occur concur blur spur
album forum datum quantum maximum minimum
backup setup lookup popup cleanup group
spam scam program diagram
orchid
edit audit limit visit exit credit deposit inherit profit benefit unit await
hang bang gang sang
flag tag drag zag bag brag lag
humbug debug plug bug
rev
`)
