// Package storetest is the conformance suite of the store: what holds on
// SQLite must hold on PostgreSQL. It owns the behaviours that callers rely on;
// what only one of the databases does is tested beside its code.
package storetest

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

// Opener makes an empty store that lasts as long as the test. The suite closes it.
type Opener func(t testing.TB, o store.Options) *store.Store

// Run runs the suite, each test on a store of its own that must be sound in
// the end.
func Run(t *testing.T, open Opener) {
	for _, test := range contents() {
		t.Run(test.name, func(t *testing.T) {
			e := newEnv(t, open)
			test.run(e)
			e.sound()
		})
	}
}

// contents is the table of contents of the suite.
func contents() []struct {
	name string
	run  func(*env)
} {
	return []struct {
		name string
		run  func(*env)
	}{
		{"Create/Page", createPage},
		{"Create/TextIsKeptByteForByte", createKeepsBytes},
		{"Create/IDsRiseInOrderOfCreation", createOrder},
		{"Create/Callback", createCallback},

		{"Update/EachMember", updateMembers},
		{"Update/WithoutEffect", updateWithoutEffect},
		{"Update/IfMatch", updateIfMatch},
		{"Update/TimeNeverGoesBack", updateTime},
		{"Update/RawFrontMatter", updateRawFront},
		{"Update/ImportSet", updateImportSet},
		{"Update/Imported", updateImported},
		{"Update/Dialect", dialects},

		{"Slug/Taken", slugTaken},
		{"Slug/FormerLeadsToItsPage", slugFormer},
		{"Slug/FormerIsTakenOver", slugTakenOver},
		{"Slug/AddedFormers", slugAdded},
		{"Slug/OneOfManyWins", slugRace},

		{"Tree/ParentMustExist", treeParent},
		{"Tree/NoCycle", treeCycle},
		{"Tree/Depth", treeDepth},
		{"Tree/Children", treeChildren},
		{"Tree/Move", move},
		{"Tree/CrossMovesMakeNoCycle", treeRace},

		{"Delete/AndRestore", deleteRestore},
		{"Delete/Refused", deleteRefused},
		{"Delete/Cascade", deleteCascade},
		{"Delete/Reparent", deleteReparent},
		{"Delete/RestoreWithoutParent", restoreOrphan},
		{"Delete/RestoreSlugs", restoreSlugs},
		{"Delete/Purge", deletePurge},

		{"Revision/EachChange", revisionEach},
		{"Revision/Restore", revisionRestore},
		{"Revision/PublicOnes", revisionPublic},
		{"Revision/Authors", revisionAuthors},

		{"Visibility/PublishedOnly", visibility},

		{"List/Orders", listOrders},
		{"List/Filters", listFilters},
		{"List/Languages", listLanguages},
		{"List/Pages", listPages},
		{"List/EveryCombination", listAll},

		{"Search/Names", searchNames},
		{"Search/States", searchStates},
		{"Search/Seen", searchSeen},

		{"Links/Backlinks", backlinks},
		{"Links/Targets", linkTargets},
		{"Links/Labels", labels},
		{"Links/Broken", brokenLinks},
		{"Links/Texts", linkTexts},
		{"Links/TextsOfMany", manyLinkTexts},
		{"Links/Many", manyLinks},
		{"Links/FirstCandidateCounts", backlinkCandidates},
		{"Links/OnlyVisiblePages", backlinkVisibility},
		{"Links/Pages", backlinkPages},

		{"Changes/Kinds", changeKinds},
		{"Changes/Record", changeRecord},
		{"Changes/NoneIsMissedWhileWriting", changeFollow},
		{"Changes/LargeOnesInParts", changeLarge},
		{"Changes/Retention", changeRetention},
		{"Changes/RetentionClockBack", retentionClockBack},
		{"Feed/Selects", feedSelects},
		{"Feed/Activity", activity},
		{"Presence", presence},
		{"Feed/Retention", feedRetention},
		{"Feed/RetentionPublic", feedRetentionPublic},
		{"Feed/Quiet", feedQuiet},
		{"Feed/BehindACopy", restored},
		{"Feed/FollowsWriters", feedFollows},
		{"Feed/Awaits", feedAwaits},

		{"Follower/GoesOnFromWhereItWas", followerRestart},
		{"Follower/FailsAndTriesAgain", followerFails},
		{"Follower/AppliesOnce", followerApplies},
		{"Follower/PassesOver", followerPlans},
		{"Follower/IsMoved", followerMoved},
		{"Follower/BehindRetention", followerTruncated},
		{"Follower/IsLate", followerLate},

		{"Schedule/PublishAndUnpublish", scheduleRun},
		{"Schedule/BothDue", scheduleBoth},
		{"Schedule/OnceForAll", scheduleRace},
		{"Schedule/ByHand", scheduleManual},
		{"Schedule/InThePast", schedulePast},
		{"Schedule/ClockGoesBack", scheduleClockBack},
		{"Schedule/Many", scheduleMany},

		{"Idempotency/Replay", idempotencyReplay},
		{"Idempotency/OtherRequest", idempotencyReused},
		{"Idempotency/InProgress", idempotencyInProgress},
		{"Idempotency/Failed", idempotencyFailed},
		{"Idempotency/Outcome", idempotencyOutcome},
		{"Idempotency/Expired", idempotencyExpired},

		{"Write/Each", writeEach},
		{"Write/Steps", writeSteps},
		{"Write/AllOrNothing", writeAtomic},
		{"Write/Panic", writePanic},
		{"Write/Cancelled", writeCancelled},

		{"Keys/Lifecycle", keysLifecycle},
		{"Keys/Rotation", keysRotation},
		{"Keys/RotationRace", keysRotationRace},
		{"Keys/FormerEnds", keysFormerEnds},
		{"Audit/Record", auditRecord},
		{"Audit/List", auditList},
		{"Audit/IsKept", auditKept},
		{"Secrets/OneValueForAll", secrets},

		{"People/Lifecycle", peopleLifecycle},
		{"People/Identities", peopleIdentities},
		{"People/LessOfARole", peopleLessOfARole},
		{"People/SetupLinkWorksOnce", peopleSetup},
		{"People/Links", peopleLinks},
		{"People/ForgottenPasswords", peopleForgotten},
		{"People/AnAdministratorIsLeft", peopleLastAdmin},
		{"People/Removed", peopleRemoved},
		{"People/Sessions", peopleSessions},
		{"People/DisabledLoseEverything", peopleDisabled},
		{"Clients/Lifecycle", clientsLifecycle},
		{"Grants/Code", grantCode},
		{"Grants/CodeIsRedeemedByOneOfMany", grantCodeRace},
		{"Grants/Rotation", grantRotation},
		{"Grants/TokenIsReplacedByOneOfMany", grantRotationRace},
		{"Grants/End", grantEnd},
		{"Grants/Sweep", grantSweep},
		{"Grants/RevokedClockBack", revokedClockBack},

		{"Settings/GetAndSet", settings},
		{"Settings/HoldFiles", holdFiles},

		{"Assets/Create", assetCreate},
		{"Assets/Update", assetUpdate},
		{"Assets/EqualBytesOnce", assetBlobs},
		{"Assets/UploadsMeetDeletions", assetRace},
		{"Assets/Lists", assetLists},
		{"Assets/PagesThatUseThem", assetUse},
		{"Assets/UnderACondition", assetMatch},
		{"Assets/PathsMeet", assetPathRace},
		{"Assets/PathsAreReleased", assetPathReleased},
		{"Assets/PendingSeen", pendingSeen},
		{"Assets/PendingEnds", pendingEnds},
		{"Assets/PendingChanged", pendingChanged},
		{"Assets/PendingFull", pendingFull},
		{"Assets/PendingMergeMeetsSweep", pendingRace},
		{"Proposals/ChangesOfOtherClocks", changesOfOtherClocks},

		{"Site/Settings", siteSettings},
		{"Site/Redirects", siteRedirects},

		{"Webhooks/Lifecycle", webhookLifecycle},
		{"Webhooks/WhatTheyGet", webhookPosition},
		{"Deliveries/InOrderOfTheirLane", deliveryOrder},
		{"Deliveries/AreTriedAgain", deliveryRetry},
		{"Deliveries/LeaseEnds", deliveryLease},
		{"Deliveries/ManyTargets", deliveryTargets},
		{"Deliveries/AddedWhileOthersEnd", deliveryRace},
		{"Deliveries/DisableTheirWebhook", deliveryDisables},
		{"Deliveries/Again", deliveryAgain},
		{"Deliveries/AgainSince", deliveryAgainSince},
		{"Deliveries/ClockWasAhead", deliveryAhead},
		{"Deliveries/Log", deliveryLog},
		{"Deliveries/Retention", deliveryRetention},

		{"Exports/Lifecycle", exportLifecycle},
		{"Exports/Lists", exportLists},
		{"Exports/LeaseEnds", exportLease},
		{"Exports/ClockWasAhead", exportAhead},
		{"Exports/MessagesClockWasAhead", messageAhead},
		{"Exports/Results", exportResults},
		{"Exports/OneOfASubjectAtOnce", exportRace},
		{"Exports/EndAndTakeAtOnce", exportEndRace},
		{"Exports/Delete", exportDelete},
		{"Exports/Expire", exportExpires},
		{"Exports/Selection", exportSelection},
		{"Exports/TellTheirEnd", exportTells},
		{"Exports/Messages", exportMessages},

		{"Imports/Lifecycle", importLifecycle},
		{"Imports/Leases", importLeases},

		{"Check/Stats", stats},

		{"Model/OneAfterAnother", modelSequential},
		{"Model/AtOnce", modelConcurrent},
	}
}

// env is a store with its clock, and the test that uses them.
type env struct {
	*testing.T
	st    *store.Store
	clock *clock
	ctx   context.Context
	hooks int // made
	lined int // events put in line
}

func newEnv(t *testing.T, open Opener) *env {
	e := &env{T: t, clock: &clock{t: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}, ctx: context.Background()}
	e.st = open(t, store.Options{
		Now:    e.clock.now,
		IDs:    octavo.NewIDSource(e.clock.now, rand.Reader),
		Derive: derive,
	})
	t.Cleanup(func() {
		if err := e.st.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	return e
}

// sound fails the test when the store contradicts itself.
func (e *env) sound() {
	e.Helper()
	findings, err := storecheck.Check(e.ctx, e.st.DB)
	if err != nil {
		e.Fatalf("check the store: %v", err)
	}
	for _, f := range findings {
		e.Errorf("the store is not sound: %s", f)
	}
}

// clock is a clock that stands still unless it is moved.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}
