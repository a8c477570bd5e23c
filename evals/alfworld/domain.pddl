; The household domain that generated games carry, written for macla.
;
; Types, predicates and actions have the names that ALFWorld's problems and engines
; expect, and the actions do the same. Only what some action needs is in it.

(define (domain alfred)
  (:requirements :adl :action-costs :typing)
  (:types agent location receptacle object rtype otype)

  (:predicates
    (atLocation ?a - agent ?l - location)
    (receptacleAtLocation ?r - receptacle ?l - location)
    (objectAtLocation ?o - object ?l - location)
    (inReceptacle ?o - object ?r - receptacle)
    (inReceptacleObject ?inner - object ?outer - object)
    (isReceptacleObject ?o - object)
    (receptacleType ?r - receptacle ?t - rtype)
    (objectType ?o - object ?t - otype)
    (canContain ?rt - rtype ?ot - otype)
    (holds ?a - agent ?o - object)
    (holdsAny ?a - agent)
    (openable ?r - receptacle)
    (opened ?r - receptacle)
    (pickupable ?o - object)
    (cleanable ?o - object)
    (heatable ?o - object)
    (coolable ?o - object)
    (toggleable ?o - object)
    (sliceable ?o - object)
    (isClean ?o - object)
    (isHot ?o - object)
    (isCool ?o - object)
    (isToggled ?o - object)
    (isSliced ?o - object)
    (checked ?x)
  )

  (:functions (total-cost) - number)

  ; --- actions that only look ---

  (:action look
    :parameters (?a - agent ?l - location)
    :precondition (atLocation ?a ?l)
    :effect (checked ?l))

  (:action inventory
    :parameters (?a - agent)
    :precondition ()
    :effect (checked ?a))

  (:action help
    :parameters (?a - agent)
    :precondition ()
    :effect (checked ?a))

  (:action examineReceptacle
    :parameters (?a - agent ?r - receptacle)
    :precondition (exists (?l - location)
      (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l)))
    :effect (checked ?r))

  (:action examineObject
    :parameters (?a - agent ?o - object)
    :precondition (holds ?a ?o)
    :effect (checked ?o))

  ; --- moving about, opening and closing ---

  (:action GotoLocation
    :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
    :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd))
    :effect (and (not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd)
      (increase (total-cost) 1)))

  (:action OpenObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (openable ?r) (not (opened ?r))
      (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (and (opened ?r) (increase (total-cost) 1)))

  (:action CloseObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (openable ?r) (opened ?r)
      (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (and (not (opened ?r)) (increase (total-cost) 1)))

  ; --- taking and putting ---

  (:action PickupObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (pickupable ?o) (not (holdsAny ?a)) (inReceptacle ?o ?r)
      (or (not (openable ?r)) (opened ?r))
      (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (and (holds ?a ?o) (holdsAny ?a)
      (not (inReceptacle ?o ?r)) (not (objectAtLocation ?o ?l))
      (increase (total-cost) 1)))

  (:action PutObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
    :precondition (and (holds ?a ?o)
      (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot)
      (or (not (openable ?r)) (opened ?r))
      (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (and (inReceptacle ?o ?r) (objectAtLocation ?o ?l)
      (not (holds ?a ?o)) (not (holdsAny ?a))
      (increase (total-cost) 1)))

  ; --- changing things; appliances need not be open ---

  (:action CleanObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (cleanable ?o) (holds ?a ?o)
      (or (receptacleType ?r SinkType) (receptacleType ?r SinkBasinType))
      (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (and (isClean ?o) (increase (total-cost) 5)))

  (:action HeatObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (heatable ?o) (holds ?a ?o) (receptacleType ?r MicrowaveType)
      (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (and (isHot ?o) (not (isCool ?o)) (increase (total-cost) 5)))

  (:action CoolObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (coolable ?o) (holds ?a ?o) (receptacleType ?r FridgeType)
      (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (and (isCool ?o) (not (isHot ?o)) (increase (total-cost) 5)))

  (:action ToggleObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (toggleable ?o) (inReceptacle ?o ?r)
      (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (and (isToggled ?o) (increase (total-cost) 5)))

  (:action SliceObject
    :parameters (?a - agent ?l - location ?co - object ?ko - object)
    :precondition (and (sliceable ?co) (holds ?a ?ko)
      (or (objectType ?ko KnifeType) (objectType ?ko ButterKnifeType))
      (atLocation ?a ?l) (objectAtLocation ?co ?l))
    :effect (and (isSliced ?co) (increase (total-cost) 5)))
)
