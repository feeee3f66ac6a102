/** Plain English as reviewers use it. */
export const general = `
delete remove erase drop discard eliminate strip rid | clean unused away
add append insert include introduce attach | new put
create make generate produce build construct instantiate | new
change modify alter edit update adjust amend | new different
replace substitute swap exchange supersede | instead change
move relocate shift transfer migrate | place
copy duplicate replicate clone | same again
read load fetch retrieve get obtain pull query | data
write save store persist record | data disk
send transmit deliver dispatch emit forward submit | message
receive accept get_message | message
show display present render view | screen user visible
hide conceal invisible hidden | visible show
start begin launch initiate kick_off | first
stop halt end terminate cease quit finish | last
finish complete conclude done finalize | end
continue proceed resume carry_on | go
wait block pause await hold | time
check verify validate confirm ensure inspect examine test | correct
find search locate discover seek look_up lookup | where
avoid prevent refrain forbid prohibit ban disallow shun | not
allow permit enable let authorize | can
require demand mandate need oblige insist necessary mandatory compulsory | must
optional voluntary discretionary | may
prefer favor favour recommend suggest choose | better
use utilize employ apply leverage | with
reuse share recycle common shared | again
call invoke execute run trigger perform fire | function
return give_back yield | value
pass hand supply provide provided | argument
keep retain preserve maintain hold | same
limit cap bound restrict maximum ceiling constrain upper_bound | size most
minimum least floor lower_bound | size
exceed surpass above overflow | limit
increase grow raise expand rise | more
decrease reduce shrink lower diminish cut | less
split separate divide partition | part
combine merge join unite consolidate unify | together
group cluster bundle collect gather | together
connect link attach associate relate | relation
disconnect detach unlink sever | connection
open | close start
close shut | open end
lock | unlock hold
wrap enclose surround encapsulate | inside
convert transform translate cast map turn | type format
compare match contrast diff | equal
calculate compute count evaluate derive work_out | number
choose select pick decide opt | option
assign allocate set give | value
break damage corrupt destroy ruin | wrong
fail break crash collapse | error
succeed pass success successful | ok
fix repair mend correct solve | bug
hurt harm damage degrade worsen | bad
improve enhance better optimize refine | good
explain describe document clarify justify state reason rationale | why
mention refer cite point_to link | name
mean imply indicate signify represent | sense
mislead confuse misleading confusing ambiguous unclear vague | understand
assume presume suppose expect assumption | think
know aware understand | information
forget overlook omit miss neglect leave_out skip | missing
remember recall | memory
guess estimate approximate | number
depend rely reliance depend_on | need
belong live reside sit | place
appear occur happen arise | time
repeat reiterate again repeatedly redo | twice
big large huge giant enormous massive oversized | size
small tiny little compact minimal short | size
long lengthy | short
fast quick rapid speedy swift | slow speed
slow sluggish lengthy laggy | fast speed
new fresh recent latest modern | old
old legacy outdated stale ancient previous former | new
good proper correct right appropriate suitable | fine
bad wrong incorrect improper invalid faulty erroneous | error
easy simple trivial effortless | hard
hard difficult tricky complicated | easy
same identical equal equivalent alike | different
different distinct separate other various | same
empty blank void vacant | full
full complete entire whole total | all
partial incomplete half unfinished | whole
single one sole lone individual | many
multiple several many numerous plural | one
extra additional surplus superfluous unnecessary needless redundant | more
important critical crucial essential vital key | matter
dangerous risky hazardous unsafe harmful | safe
safe secure protected harmless | danger
protect guard shield defend secure safeguard | safe
explicit clear stated | implicit
implicit hidden implied automatic | explicit
automatic automated automatically | manual
manual hand manually by_hand | automatic
public exposed external outside visible | private
private internal inside own | public
local nearby | remote global
remote distant elsewhere | local network
global worldwide universal everywhere | local
permanent persistent durable lasting | temporary
temporary transient short_lived ephemeral provisional | permanent
early soon beforehand upfront advance prior | late
late later afterwards delayed | early
first initial primary | last
last final ultimate | first
current present existing actual | now
future upcoming forthcoming later | plan
past previous earlier prior before | old
always constantly every_time consistently | never
rare seldom infrequent uncommon | often
often frequent frequently common usual typical | rare
random arbitrary | order
exact precise accurate exactly | number
rough approximate loose | exact
strict rigid rigorous stringent | loose
unused idle spare leftover | use
unknown unfamiliar unrecognized unexpected | known
known familiar recognized | unknown
expected anticipated planned intended | unexpected
accident accidental accidentally unintentional inadvertent mistake | wrong
deliberate intentional purpose intent on_purpose | why
problem issue trouble difficulty concern | bug
cause reason source origin root_cause | why
effect consequence result outcome impact | cause
goal aim purpose objective target intention | why
rule guideline policy convention standard principle norm | follow
follow obey comply adhere conform respect | rule
violate breach break_rule infringe | rule
exception_case special_case edge_case corner_case boundary_case | case
example sample instance illustration | case
kind type sort category class | group
part piece portion segment fragment section | whole
list enumeration inventory catalog | item
item element entry member | list
name title label caption | call
place location position spot | where
side edge border margin boundary | limit
top upper head | bottom
bottom lower tail | top
beginning start head front | end
end tail finish back | start
order sequence arrangement succession | first
step stage phase | process
time moment instant | clock
day date | time
amount quantity volume number count | size
size length width height dimension | big
speed rate pace velocity | fast
cost price expense charge fee | money
work task job duty chore | do
help assist aid support | use
tool utility instrument | use
author writer creator owner | write
reader audience | read
developer programmer engineer coder contributor | team
manager lead boss supervisor | team
colleague teammate coworker peer | team
boundary edge border perimeter | limit
gap hole missing absence lack | missing
noise clutter mess noisy | clean
clean tidy neat | messy
nothing none zero | empty
exist present presence | there
consistent uniform coherent homogeneous | same
clean_up tidy cleanup sweep | remove
expensive costly heavy pricey | cheap
cheap inexpensive light lightweight | expensive
heavy large weighty bulky | light
visible apparent shown | hidden
track follow trace monitor watch | record
react respond answer reply | event
human person people manual_user | user
machine computer device | hardware
nested inner inside | outer
outer outside enclosing surrounding | inner
parent ancestor | child
child descendant sub | parent
opposite inverse reverse contrary | negate
negate negation negative double_negative inverted | boolean
quantity limit_number maximum_number | limit
`
