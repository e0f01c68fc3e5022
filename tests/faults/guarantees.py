"""The promises G1 to G37: the tests that keep each, the builds that must fail them, and how far a full run goes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Row:
    """One promise. Tests are files or `file::function`; those of `red` show that a weakened build is found."""

    number: int
    promise: str
    goal: str
    tests: tuple[str, ...]
    red: tuple[str, ...]
    long: str = "1"  # PBEM_LONG of a full run
    also: str = ""  # commands that go further than any test; run by hand, or before a release

    @property
    def name(self) -> str:
        return f"G{self.number}"

    def cited(self) -> Iterator[str]:
        yield from self.tests
        yield from self.red


F, HOST, LEDGER, MAIL = "tests/faults", "tests/pbem/host", "tests/pbem/ledger", "tests/pbem/correspondence"
HOSTILE, GAMES, POST, IMAP = "tests/pbem/intake/hostile", "tests/every_game", "tests/pbem/post", "tests/pbem/arriving"

ROWS = (
    Row(
        1,
        "killed at any point of intake and run again, every acknowledged order is there once, none invented",
        "5,000 lines, 500 calls, 0 lost, 0 doubled",
        (
            f"{F}/test_killed_anywhere.py::test_collecting_is_killed_anywhere",
            f"{F}/test_killed_anywhere.py::test_submitting_is_killed_anywhere",
            f"{F}/test_routes_killed.py",
            f"{F}/test_calls_killed.py",
            f"{F}/test_line_killer.py",
        ),
        (
            f"{F}/test_killed_anywhere.py::test_a_build_that_moves_files_too_early_is_found",
            f"{F}/test_routes_killed.py::test_a_build_that_does_not_store_what_it_acknowledges_is_found",
            f"{F}/test_calls_killed.py::test_a_build_that_moves_files_too_early_is_found",
        ),
    ),
    Row(
        2,
        "the same after a power cut",
        "5,000 cuts, 0 lost, 0 corrupt",
        (
            f"{F}/test_power_cut.py",
            f"{F}/test_power_cut_night.py",
            f"{F}/test_routes_disk.py::test_g2_no_mail_that_was_acknowledged_or_marked_is_lost",
        ),
        (
            f"{F}/test_power_cut.py::test_g2_weakened_settings_lose_acknowledged_letters",
            f"{F}/test_power_cut_night.py::test_g2_weakened_nights_lose_mails",
            f"{F}/test_routes_disk.py::test_g2_weakened_without_a_sync_of_each_commit_mails_are_lost",
        ),
    ),
    Row(
        3,
        "messages in = accepted + refused + ignored + quarantined; marked on the server only after the commit",
        "exact",
        (
            f"{HOST}/test_submitting.py::test_messages_in_are_accounted_for",
            f"{MAIL}/test_robots.py::test_messages_in_are_accounted_for",
            f"{F}/test_conservation.py",
        ),
        (
            f"{IMAP}/test_imap.py::test_g3_a_build_that_marks_first_is_seen",
            f"{F}/test_routes_killed.py::test_imap_of_a_build_that_marks_first_is_found",
            f"{F}/test_conservation.py::test_g3_weakened_a_message_without_a_fate_is_missed",
        ),
    ),
    Row(
        4,
        "the same message n times is one submission; A, B, A again in a new mail ends in A",
        "n = 2 to 50, 6 routes",
        (
            f"{HOST}/test_submitting.py::test_the_same_message_again_is_one_submission",
            f"{HOST}/test_submitting.py::test_a_then_b_then_a_again_in_a_new_message_ends_in_a",
            f"{HOST}/test_colliding.py::test_a_message_that_two_runs_judge_is_one_submission",
            f"{MAIL}/test_robots.py::test_the_same_mail_twice_is_one",
            f"{IMAP}/test_imap.py::test_another_numbering_doubles_nothing",
            f"{IMAP}/test_imap.py::test_a_mailbox_delivered_twice_counts_once",
            f"{F}/test_conservation.py",
        ),
        (
            f"{HOST}/test_weakened.py::test_g4_by_the_words_alone_a_changed_mind_is_lost",
            f"{IMAP}/test_imap.py::test_g4_without_looking_at_the_words_a_second_delivery_doubles",
        ),
    ),
    Row(
        5,
        "a message that breaks our code is set aside after three tries; all others are handled",
        "99 of 100 handled",
        (
            f"{MAIL}/test_apart.py",
            f"{HOST}/test_colliding.py::test_a_message_that_trips_a_fault_of_ours_holds_up_no_other",
        ),
        (f"{MAIL}/test_apart.py::test_weakened_asked_here_what_a_game_does_it_does_to_us",),
    ),
    Row(
        6,
        "an IMAP line cut anywhere in a fetch: no half order, nothing lost",
        "every byte, 0 half, 0 lost",
        (f"{IMAP}/test_imap.py",),
        (f"{IMAP}/test_imap.py::test_g6_a_build_that_believes_half_an_answer_is_seen",),
    ),
    Row(
        7,
        "a full or broken disk: no receipt without a row, and one rerun completes",
        "every write, sync and open",
        (
            f"{F}/test_full_disk.py",
            f"{F}/test_routes_disk.py",
            "tests/pbem/cli/test_failures.py::test_a_full_disk_stores_nothing_and_says_so",
        ),
        (f"{F}/test_full_disk.py::test_g7_weakened_trying_again_acknowledges_what_may_be_gone",),
    ),
    Row(
        8,
        "a backup taken at any moment restores to a ledger that verifies and goes on the same; an old one is noticed",
        "200 backups, 0 bad",
        (
            f"{LEDGER}/test_backup.py",
            f"{F}/test_backups_in_use.py",
            f"{F}/test_restored_night.py",
            f"{HOST}/test_restored.py",
            f"{HOST}/test_sealed.py::test_no_run_goes_on_with_the_key_of_another_host",
            "tests/pbem/cli/test_care.py::test_a_copy_older_than_what_was_mailed_sends_nothing_until_the_referee_agrees",
            "tests/pbem/cli/test_care.py::test_mails_of_a_lost_time_are_told_from_a_history_that_was_rewritten",
        ),
        (
            f"{LEDGER}/test_backup.py::test_g8_weakened_a_copied_file_is_not_a_backup",
            f"{F}/test_backups_in_use.py::test_g8_weakened_copied_files_lack_what_was_answered",
            f"{F}/test_backups_in_use.py::test_g8_weakened_a_restore_that_forgets_what_waits_has_another_night",
            f"{F}/test_restored_night.py::test_g8_weakened_without_the_file_of_heads_an_older_copy_goes_out_again",
            f"{HOST}/test_restored.py::test_weakened_without_a_row_of_it_it_is_told_twice",
            f"{HOST}/test_restored.py::test_weakened_an_agreement_of_which_nobody_is_told",
            f"{HOST}/test_sealed.py::test_weakened_a_run_that_does_not_look_seals_under_the_key_of_another_host",
            "tests/pbem/cli/test_care.py::test_weakened_a_lost_time_without_an_end_excuses_what_was_forged_later",
        ),
    ),
    Row(
        9,
        "ledgers of every version are brought up to date, whole or not at all; an older program refuses a newer one",
        "all versions x all statements",
        (
            f"{LEDGER}/test_versions.py",
            f"{LEDGER}/test_migrations.py",
            "tests/pbem/cli/test_care.py::test_a_newer_ledger_is_refused_by_every_door",
        ),
        (f"{LEDGER}/test_versions.py::test_g9_weakened_an_upgrade_in_pieces_leaves_neither",),
    ),
    Row(
        10,
        "a night killed anywhere and run again leaves the same ledger and the same mails, to the byte",
        "2,000 points, 0 differences",
        (
            f"{F}/test_killed_anywhere.py::test_the_night_is_killed_anywhere",
            f"{F}/test_killed_anywhere.py::test_the_night_of_every_variant_is_killed_anywhere",
            f"{F}/test_killed_anywhere.py::test_the_night_of_all_games_is_killed_anywhere",
            f"{F}/test_killed_anywhere.py::test_children_of_a_night_change_no_file",
            f"{HOST}/test_night.py::test_a_night_killed_anywhere_comes_to_the_same",
            f"{LEDGER}/test_rebuild.py",
        ),
        (f"{F}/test_killed_anywhere.py::test_a_build_that_forgets_the_night_it_began_is_found",),
    ),
    Row(
        11,
        "same inputs, same bytes: any hash seed, zone, language, and order of arrival",
        "1,000 games, 0 differences",
        (
            f"{GAMES}/test_same_bytes.py",
            f"{F}/test_arrivals.py",
            f"{F}/test_pythons.py",
            "tests/playthroughs/test_playthroughs.py::test_the_same_bytes_in_any_environment",
        ),
        (
            f"{GAMES}/test_same_bytes.py::test_a_game_that_looks_around_is_found",
            f"{F}/test_arrivals.py::test_g11_weakened_rules_that_go_by_arrival_are_found",
        ),
        long="15000",
    ),
    Row(
        12,
        "two nights at once: one resolves, the other says so; a dead run's lock blocks nobody",
        "500 races of 8",
        (
            f"{F}/test_races.py",
            f"{HOST}/test_night.py::test_many_nights_at_once_resolve_each_turn_once",
            f"{HOST}/test_night.py::test_another_night_at_work_is_left_alone",
        ),
        (
            f"{HOST}/test_weakened.py::test_g12_without_the_lock_two_nights_are_at_work",
            f"{F}/test_races.py::test_g12_weakened_a_lock_that_outlives_its_process_blocks_the_next_night",
        ),
    ),
    Row(
        13,
        "one broken match stops only itself",
        "49 of 50 resolved",
        (
            f"{HOST}/test_night.py::test_one_broken_game_stops_only_itself",
            f"{HOST}/test_night.py::test_a_game_that_kills_its_runs_is_halted_untried",
            "tests/pbem/cli/test_night.py::test_a_game_whose_rules_are_gone_stops_only_itself",
        ),
        (f"{HOST}/test_weakened.py::test_g13_without_the_count_a_killer_is_tried_for_ever",),
    ),
    Row(
        14,
        "each report leaves at least once under one Message-ID, twice only if the answer was unknown",
        "every fault at every mail, 0 missing",
        (f"{POST}/test_faults.py", f"{POST}/test_killed_anywhere.py"),
        (f"{POST}/test_weakened.py",),
    ),
    Row(
        15,
        "slow or dead post never delays or changes resolution",
        "night <= 1.1 x, run <= 30 min",
        (f"{POST}/test_slow.py",),
        (
            f"{POST}/test_slow.py::test_g15_weakened_a_night_that_delivers_first",
            f"{POST}/test_slow.py::test_g15_weakened_a_night_that_delivers_first_costs_more",
        ),
    ),
    Row(
        16,
        "accepted if and only if received before the stored deadline; order of mails = order of arrival",
        "200 rows",
        (
            f"{HOST}/test_deadline_law.py",
            f"{HOST}/test_submitting.py::test_the_deadline_law",
            "tests/pbem/test_schedule.py",
            "tests/pbem/test_rhythm.py",
            f"{MAIL}/test_robots.py::test_the_last_arrival_stands_whatever_its_date_says",
        ),
        (
            f"{HOST}/test_weakened.py::test_g16_without_the_law_a_late_order_counts",
            f"{HOST}/test_deadline_law.py::test_weakened_the_date_of_the_mail_would_decide",
        ),
    ),
    Row(
        17,
        "clock set back or ahead, changes of clocks, leap days: deadlines stay the announced instant",
        "60 instants",
        (
            f"{HOST}/test_night.py::test_deadlines_are_instants_whatever_the_clock_does",
            "tests/pbem/test_rhythm.py::test_every_change_of_clocks_to_2030",
            f"{HOST}/test_colliding.py::test_a_night_under_a_wrong_clock_leaves_the_later_ones_right",
            f"{HOST}/test_colliding.py::test_mails_leave_even_when_time_was_ahead_once",
            f"{F}/test_clock.py::test_g17_eight_in_the_evening_is_eight_on_every_day",
            f"{HOST}/test_brakes.py",
            f"{F}/test_set_clock.py",
        ),
        (
            f"{F}/test_clock.py::test_g17_weakened_deadlines_of_24_hours_move_with_the_clocks",
            f"{F}/test_set_clock.py::test_g17_weakened_a_clock_that_is_believed_ends_a_turn_before_its_deadline",
            f"{HOST}/test_brakes.py::test_g17_weakened_without_the_look_a_jump_plays_the_turn",
        ),
    ),
    Row(
        18,
        "missed nights: each due turn once, oldest first; nobody loses a turn because we were off",
        "exact",
        (
            f"{HOST}/test_night.py::test_missed_nights_are_caught_up_once",
            f"{HOST}/test_colliding.py::test_nobody_loses_a_turn_because_a_broken_night_was_finished_days_later",
            f"{F}/test_clock.py::test_g18_nobody_loses_a_turn_because_the_host_was_off",
            f"{HOST}/test_brakes.py::test_missed_nights_are_made_up_for_the_oldest_first_and_once",
            f"{HOST}/test_brakes.py::test_a_deadline_in_an_outage_is_moved_and_nobody_was_silent",
        ),
        (
            f"{F}/test_clock.py::test_g18_weakened_nights_that_are_made_up_for_cost_turns",
            f"{HOST}/test_brakes.py::test_g18_weakened_without_the_heartbeat_silence_counts",
            f"{HOST}/test_brakes.py::test_g18_weakened_by_the_run_alone_one_that_was_killed_forgets_the_outage",
        ),
    ),
    Row(
        19,
        "whole seasons by seed: mailbox, post, clock, disk, backups, referee",
        "1,000 seeds in CI, 100,000 a release",
        ("tests/season/test_season.py",),
        (
            "tests/season/test_season.py::test_weakened_a_host_that_was_off_and_does_not_know_is_found",
            "tests/season/test_season.py::test_weakened_a_clock_that_is_believed_is_found",
            "tests/season/test_season.py::test_weakened_tries_that_are_not_noted_are_found",
            "tests/season/test_season.py::test_weakened_a_message_that_is_let_go_of_is_found",
            "tests/season/test_season.py::test_weakened_a_machine_that_died_once_is_held_against_a_game",
            "tests/season/test_season.py::test_weakened_a_host_that_is_restored_and_goes_on_at_once_is_found",
            "tests/season/test_season.py::test_weakened_a_restored_host_that_counts_silence_at_once_is_found",
            "tests/season/test_season.py::test_weakened_keys_that_know_no_lost_time_are_found",
        ),
        also="python -m tests.season --games 200 --nights 60; python -m tests.season --from 1 --to 100000",
    ),
    Row(
        20,
        "every sentence of the rules has code and a numbered test",
        "100 % of paragraphs, 600 cases",
        ("tests/paragraphs/test_paragraphs.py",),
        (
            "tests/paragraphs/test_paragraphs.py::test_a_gap_and_a_stranger_are_found",
            "tests/paragraphs/test_paragraphs.py::test_cases_are_counted",
        ),
    ),
    Row(
        21,
        "legal moves are those that a second program, written from the rules alone, finds",
        "equal",
        tuple(f"tests/games/{game}/test_second.py" for game in ("bagh_chal", "hasami_shogi", "jarmo", "yut"))
        + ("tests/games/conquest/test_reference.py",),
        tuple(
            f"tests/games/{game}/test_second.py::test_g21_weakened_a_changed_rule_is_found"
            for game in ("bagh_chal", "hasami_shogi", "jarmo", "yut")
        ),
    ),
    Row(
        22,
        "no dead end, no crash, no endless game; pieces and money conserved",
        "10,000 games a variant",
        (f"{GAMES}/test_long_run.py", f"{GAMES}/test_questions.py"),
        (f"{GAMES}/test_faults.py::test_the_question_finds_the_fault", f"{F}/test_dead_ends.py"),
        long="10000",
        also="python -m tests.every_game long",
    ),
    Row(
        23,
        "a replay gives the same states, also under a newer program",
        "0 differences; 2 golden games a variant",
        (
            "tests/playthroughs/test_playthroughs.py",
            "tests/playthroughs/test_versions.py",
            f"{HOST}/test_versions.py",
        ),
        (
            "tests/playthroughs/test_playthroughs.py::test_a_changed_order_is_noticed",
            "tests/playthroughs/test_versions.py::test_rules_that_changed_under_the_same_version_are_told_what_to_do",
            f"{HOST}/test_versions.py::test_weakened_under_the_newest_version_the_old_game_does_not_replay",
            f"{HOST}/test_versions.py::test_weakened_without_the_shadow_run_the_changed_rules_play_on",
        ),
    ),
    Row(
        24,
        "the tests would notice: branches covered, small changes found",
        "100 % of branches (rules 95 %); 95 % of mutants (rules 90 %)",
        (f"{F}/test_mutants.py",),
        (f"{F}/test_mutants.py::test_tests_that_look_at_nothing_let_mutants_live",),
        also="python -m tests.faults.mutants ROOM; make coverage",
    ),
    Row(
        25,
        "a report depends only on what its seat may know",
        "500 pairs a game, byte-equal",
        (f"{GAMES}/test_secrets.py", f"{GAMES}/test_host_leaks.py", "tests/pbem/audit/test_export_leaks.py"),
        (f"{GAMES}/test_secrets.py::test_a_planted_leak_is_found", f"{GAMES}/test_host_leaks.py"),
    ),
    Row(
        26,
        "so do receipts, refusals, previews and answers",
        "byte-equal",
        (f"{MAIL}/test_secrets.py", "tests/pbem/intake/test_secrets.py"),
        (
            f"{MAIL}/test_secrets.py::test_weakened_a_status_that_tells_who_has_answered_is_found",
            "tests/pbem/intake/test_secrets.py::test_a_planted_leak_is_found",
        ),
    ),
    Row(
        27,
        "public hashes tell nothing",
        "0 of 1,000 secrets found",
        (f"{LEDGER}/test_heads.py",),
        (f"{LEDGER}/test_heads.py::test_g27_weakened_an_unsalted_build_is_read_like_a_book",),
    ),
    Row(
        28,
        "only the seat's secret speaks for the seat; receipts go to the registered address only",
        "10,000 guesses, 0",
        (f"{MAIL}/test_identity.py", "tests/pbem/test_keys.py", f"{HOSTILE}/test_identities.py"),
        (
            f"{MAIL}/test_identity.py::test_g28_weakened_without_the_comparison_anybody_speaks",
            f"{MAIL}/test_identity.py::test_weakened_a_slip_is_looked_for_nowhere",
            f"{MAIL}/test_identity.py::test_weakened_a_slip_that_is_not_told_is_an_order",
            f"{MAIL}/test_identity.py::test_weakened_the_seat_that_a_form_names_is_answered",
            f"{HOSTILE}/test_identities.py::test_g28_weakened_by_from",
        ),
    ),
    Row(
        29,
        "an old, quoted or replayed order is never taken for a new one",
        "0 wrong of 150 mails",
        (
            "tests/pbem/intake/mail/test_corpus.py",
            f"{HOST}/test_submitting.py::test_an_old_form_is_never_a_new_order",
            f"{MAIL}/test_lost_times.py",
        ),
        (
            "tests/pbem/intake/mail/test_corpus.py::test_g29_a_weakened_reader_fails_its_group",
            f"{MAIL}/test_identity.py::test_weakened_quoted_forms_that_count_are_orders",
            f"{MAIL}/test_lost_times.py::test_g29_weakened_without_its_losses_a_lost_report_is_answered",
        ),
    ),
    Row(
        30,
        "no loop, no backscatter",
        "20 answers a day; two hosts stop",
        (f"{MAIL}/test_robots.py", "tests/pbem/intake/mail/test_robots.py"),
        (
            f"{MAIL}/test_robots.py::test_g30_weakened_robots_that_count_as_persons_are_answered",
            f"{MAIL}/test_robots.py::test_weakened_two_hosts_that_answer_robots_do_not_stop",
        ),
    ),
    Row(
        31,
        "no player's text makes a header, a recipient, an option, an SMTP line, a terminal escape",
        "10,000 strings",
        (
            f"{HOSTILE}/test_leaving.py",
            f"{POST}/test_lines.py",
            f"{POST}/test_ways.py::test_the_command_gets_addresses_after_two_hyphens",
            "tests/pbem/reports/test_letter.py",
        ),
        (
            f"{HOSTILE}/test_leaving.py::test_headers_that_are_not_cleaned_are_found",
            f"{POST}/test_lines.py::test_g31_weakened_without_doubled_dots",
        ),
    ),
    Row(
        32,
        "player text is text: tags and layout stay those of a harmless string",
        "10,000 strings, all templates",
        (
            f"{HOSTILE}/test_showing.py",
            "tests/pbem/reports/test_hostile.py",
            "tests/pbem/audit/test_page.py::test_g32_words_of_players_and_servers_make_no_tags",
            "tests/architecture/test_templates.py",
        ),
        (
            "tests/pbem/audit/test_page.py::test_g32_weakened_without_autoescape_it_is_found",
            f"{HOSTILE}/test_showing.py::test_without_autoescape_it_is_found",
            "tests/pbem/reports/test_hostile.py::test_without_autoescape_the_same_comparison_finds_the_tags",
        ),
    ),
    Row(
        33,
        "bounded: 2 s, 256 MiB, 5 s a message; the batch goes on",
        "corpus and 100,000 mutated mails",
        (
            f"{HOSTILE}/test_bounds.py",
            f"{HOSTILE}/test_limits.py",
            f"{HOSTILE}/test_mails.py",
            f"{HOSTILE}/test_texts.py::test_what_is_said_of_it",
        ),
        (
            f"{HOSTILE}/test_bounds.py::test_without_the_wall_the_same_crash_ends_the_run",
            f"{HOSTILE}/test_bounds.py::test_the_mutants_would_notice",
        ),
    ),
    Row(
        34,
        "names from outside never become paths",
        "0 opens outside the spool",
        (f"{HOSTILE}/test_files.py",),
        (f"{HOSTILE}/test_files.py::test_links_that_are_followed_are_found",),
    ),
    Row(
        35,
        "tokens, addresses, paths and tracebacks never appear in mail, log or report",
        "0 hits",
        (f"{HOSTILE}/test_canaries.py", f"{MAIL}/test_forgetting.py"),
        (
            f"{HOSTILE}/test_canaries.py::test_a_name_that_holds_an_address_is_found",
            f"{HOSTILE}/test_canaries.py::test_words_of_a_server_that_are_written_down_are_found",
        ),
    ),
    Row(
        36,
        "every change of a history row is found, and the first bad row named",
        "all bits of all rows, all edits",
        (
            "tests/pbem/audit/test_bits.py",
            "tests/pbem/audit/test_verify.py",
            "tests/pbem/audit/test_ordered.py",
            f"{LEDGER}/test_triggers.py",
        ),
        (
            "tests/pbem/audit/test_bits.py::test_g36_weakened_sqlite_itself_notices_few",
            "tests/pbem/audit/test_verify.py::test_weakened_hashes_alone_do_not_find_a_forgery",
            "tests/pbem/audit/test_verify.py::test_g36_weakened_counting_mails_is_not_enough",
            "tests/pbem/audit/test_ordered.py::test_weakened_hashes_and_rules_do_not_find_it",
            f"{LEDGER}/test_triggers.py::test_g36_weakened_without_triggers_each_attempt_passes",
        ),
        also="python -m tests.faults.every_bit",
    ),
    Row(
        37,
        "dice and shuffles are fixed before the orders, and a stranger can check them",
        "10^6 draws, p > 0.001",
        (
            "tests/engine/test_dice.py",
            "tests/pbem/audit/test_export.py",
            "tests/pbem/audit/test_stranger.py",
            "tests/pbem/audit/test_comparing.py::test_g37_each_roll_can_be_made_by_hand_from_what_is_printed",
        ),
        (
            "tests/engine/test_dice.py::test_large_choices_do_not_favour_the_small_ones",
            "tests/pbem/audit/test_export.py::test_g37_the_checker_finds",
            "tests/pbem/audit/test_stranger.py::test_weakened_without_the_rules_in_the_file_nothing_can_be_played",
        ),
    ),
    Row(
        38,
        "what is tapped, typed or chosen on a page is what is ordered, and nothing else becomes an order",
        "50 positions of each game, every legal move; 2,000 illegal pairs of taps of each, 0 orders",
        (
            "tests/pages/test_taps.py",
            "tests/pages/test_tapped_story.py",
            f"{GAMES}/test_composer.py::test_a_map_declares_the_places_of_all_moves",
        ),
        (
            "tests/pages/test_taps.py::test_a_weakened_page_is_found",
            "tests/pages/test_taps.py::test_a_page_whose_enter_takes_the_first_is_found",
        ),
    ),
    Row(
        39,
        "a player's account is changed by the current key only, and its address not without the old address",
        "every command with every proof, 0 done with less than it needs",
        (
            f"{MAIL}/test_takeover.py",
            f"{MAIL}/test_takeover_killed.py",
            f"{MAIL}/test_proofs.py::test_no_act_can_do_without_a_proof",
            f"{MAIL}/test_proofs.py::test_what_is_declared_is_what_it_needs",
            f"{MAIL}/test_proofs.py::test_g39_no_command_is_done_with_less_than_it_needs",
            f"{MAIL}/test_proofs.py::test_g39_every_command_is_done_with_what_it_needs",
            f"{MAIL}/test_proofs.py::test_g39_a_quoted_report_is_worth_no_more_than_its_key",
            f"{MAIL}/test_proofs.py::test_g39_a_code_that_nobody_was_sent_does_nothing",
        ),
        (
            f"{MAIL}/test_proofs.py::test_g39_weakened_a_table_that_asks_for_less_is_found",
            f"{MAIL}/test_takeover.py::test_g39_weakened_a_build_that_believes_the_new_address_is_found",
            f"{MAIL}/test_takeover.py::test_g39_weakened_a_build_that_forgets_whom_it_told_is_found",
            f"{MAIL}/test_takeover.py::test_g39_weakened_a_build_that_mails_keys_to_any_address_is_found",
        ),
    ),
    Row(
        40,
        "a seat consents, appeals and speaks by its current key only",
        "exact",
        (
            f"{MAIL}/test_takeover.py::test_g40_a_draw_takes_the_current_key_of_every_seat",
            f"{MAIL}/test_takeover.py::test_g40_neither_forms_nor_words_in_them_are_taken_with_an_old_key",
            f"{MAIL}/test_takeover.py::test_g39_a_stranger_with_an_old_key_gets_nothing",
            f"{MAIL}/test_proofs.py::test_g40_no_form_is_taken_with_less_than_the_current_key",
        ),
        (
            f"{MAIL}/test_proofs.py::test_g40_weakened_a_table_that_asks_for_less_is_found",
            f"{MAIL}/test_takeover.py::test_g40_weakened_a_build_that_takes_any_key_for_consent_is_found",
        ),
    ),
    Row(
        41,
        "a forged sender silences nobody: each kind of answer has a budget of its own, and what had none is listed",
        "22 forged mails, at most 1 answer; every order has its receipt",
        (f"{MAIL}/test_budgets.py",),
        (
            f"{MAIL}/test_budgets.py::test_weakened_when_all_answers_have_one_budget_a_forger_uses_up_the_receipts",
            f"{MAIL}/test_robots.py::test_weakened_without_the_limit_answers_go_on",
        ),
    ),
    Row(
        42,
        "a demanded DKIM signature is that of the registered domain, and covers all that is read",
        "0 forged mails pass",
        ("tests/pbem/intake/mail/test_evidence.py", f"{MAIL}/test_evidence.py"),
        (
            "tests/pbem/intake/mail/test_evidence.py::test_weakened_without_the_binding_an_appended_order_passes",
            "tests/pbem/intake/mail/test_evidence.py::test_weakened_a_domain_read_by_a_pattern_is_a_decoys",
            f"{MAIL}/test_evidence.py::test_weakened_without_the_demand_anything_is_taken",
        ),
    ),
    Row(
        43,
        "orders with a valid key are never dropped in silence, and come to the same by every route",
        "0 without an answer",
        (f"{MAIL}/test_told.py",),
        (
            f"{MAIL}/test_told.py::test_weakened_a_build_that_drops_list_mail_in_silence_is_found",
            f"{MAIL}/test_told.py::test_weakened_without_the_word_nobody_learns_that_it_was_not_opened",
            f"{MAIL}/test_told.py::test_weakened_without_the_subject_a_forward_is_taken_for_an_answer",
            f"{MAIL}/test_told.py::test_weakened_without_the_check_a_file_is_taken_by_its_first_form",
        ),
    ),
    Row(
        44,
        "nothing passes for what it only looks like: names, addresses, letters; nobody plays both sides unnoticed",
        "exact",
        (
            "tests/pbem/cli/test_impostors.py",
            "tests/pbem/intake/test_characters.py",
            "tests/pbem/test_keys.py::test_letters_of_other_alphabets_that_look_alike_are_the_same_letter",
        ),
        (
            "tests/pbem/cli/test_impostors.py::test_weakened_without_the_question_one_plays_both_sides",
            "tests/pbem/cli/test_impostors.py::test_weakened_without_the_name_of_the_letter_nobody_sees_what_is_wrong",
        ),
    ),
    Row(
        45,
        "private words, appeals, masked authors and Message-IDs are in no public file, not even of a finished game",
        "0 found; every kind of row declared",
        (
            f"{LEDGER}/test_public.py",
            "tests/pages/test_private_words.py::test_private_words_are_in_no_public_file_even_once_the_game_is_over",
            "tests/pages/test_private_words.py::test_a_seats_own_file_holds_its_own_words_and_nobody_elses",
            "tests/pages/test_private_words.py::test_a_player_is_told_once_who_reads_his_words",
        ),
        ("tests/pages/test_private_words.py::test_weakened_without_the_list_private_words_are_published",),
    ),
    Row(
        46,
        "nothing that leaves a host shows how much others write: no file, calendar, mail, size or time",
        "byte-equal twins of every game",
        (
            f"{GAMES}/test_twin_hosts.py",
            "tests/pbem/audit/test_export_leaks.py",
            "tests/pages/test_private_words.py::"
            "test_the_public_file_of_a_running_game_is_the_same_whatever_the_players_write",
        ),
        (
            f"{GAMES}/test_twin_hosts.py::test_weakened_a_host_that_tells_is_found",
            "tests/pbem/audit/test_export_leaks.py::test_a_leak_of_the_exporter_is_found",
        ),
    ),
    Row(
        47,
        "a copy of the ledger without its key gives nobody a seat's key, a seed or a code",
        "every 32 bytes of a copy tried, 0 hits",
        (f"{HOST}/test_stolen_backup.py", f"{HOST}/test_sealed.py", f"{HOST}/test_encrypted_backup.py"),
        (
            f"{HOST}/test_stolen_backup.py::test_weakened_a_ledger_that_stores_secrets_as_they_are_gives_its_keys_away",
            f"{HOST}/test_stolen_backup.py::test_weakened_sealing_without_compacting_leaves_them_in_free_bytes",
        ),
    ),
    Row(
        48,
        "mail that belongs to no game is emptied when its time is up, is still known, and still adds up",
        "all of it, whatever the history",
        (f"{HOST}/test_strangers_mail.py",),
        (f"{HOST}/test_strangers_mail.py::test_weakened_a_host_that_does_not_purge_keeps_all",),
    ),
    Row(
        49,
        "every mail leaves signed; one that was changed, or that anybody wrote, accuses nobody; one that the host "
        "signed and its ledger contradicts accuses the host",
        "exact",
        (
            "tests/pbem/cli/test_check_mail.py",
            f"{POST}/test_signing.py",
            "tests/pbem/test_signature.py",
            "tests/pbem/audit/test_comparing.py::test_g36_a_rewritten_history_is_found_by_the_mails_that_one_player_kept",
        ),
        (
            "tests/pbem/cli/test_check_mail.py::test_g49_weakened_heads_of_any_mail_count_as_before",
            f"{POST}/test_signing.py::test_weakened_one_way_out_that_forgets_to_sign_is_found",
            f"{POST}/test_signing.py::test_g49_weakened_without_a_look_at_what_is_signed_it_is_not_found",
            "tests/pbem/test_signature.py::test_no_key_of_small_order_signs_anything",
        ),
    ),
    Row(
        50,
        "the host cannot choose the dice: what is mixed in comes after the mailed commitment, and no last mover"
        " chooses; else players are told that the host alone chose the seed",
        "exact",
        (
            "tests/pbem/seeding/test_players.py",
            "tests/pbem/seeding/test_attacks.py",
            "tests/pbem/seeding/test_audit.py",
            "tests/pbem/seeding/test_by_mail.py",
            "tests/pbem/seeding/test_commands.py",
            "tests/pbem/seeding/test_killed.py",
        ),
        (
            "tests/pbem/seeding/test_attacks.py::test_who_knows_the_texts_first_wins_by_trying_seeds",
            "tests/pbem/seeding/test_attacks.py::test_a_build_that_reads_texts_before_all_have_committed_is_found",
            "tests/pbem/seeding/test_attacks.py"
            "::test_a_build_that_keeps_the_texts_of_a_round_with_a_withheld_one_is_found",
            "tests/pbem/seeding/test_attacks.py::test_a_build_that_says_nothing_of_the_hosts_choice_is_found",
        ),
    ),
    Row(
        51,
        "no ledger and no export steers the terminal, forges a verdict, or ends a command with a fault of ours",
        "exact, and forged files",
        (
            "tests/pbem/cli/test_hostile.py",
            "tests/architecture/test_rooms.py::test_nothing_prints_past_the_writer_that_escapes",
            "tests/pbem/audit/test_ordered.py::test_a_move_that_was_not_ordered",
        ),
        (
            "tests/pbem/cli/test_hostile.py::test_weakened_a_writer_that_does_not_escape_is_found",
            "tests/pbem/cli/test_hostile.py::test_weakened_rows_without_shapes_end_with_a_fault_of_ours",
            "tests/architecture/test_rooms.py::test_every_planted_way_past_the_writer_is_found",
        ),
    ),
    Row(
        52,
        "ledgers and exports are checked on read-only media; a damaged picture is found",
        "a real mount",
        (
            "tests/pbem/cli/test_read_only.py",
            "tests/pbem/audit/test_pictures.py",
        ),
        (
            "tests/pbem/cli/test_read_only.py::test_weakened_opened_for_writing_it_cannot_be_read",
            "tests/pbem/audit/test_pictures.py::test_weakened_without_the_checksums_nobody_sees_it",
        ),
    ),
    Row(
        53,
        "what one seat sends by any route leaves bounded rows and mails, and every message is accounted for",
        "10,000 files: 20 submissions, 21 receipts, sums exact",
        (f"{IMAP}/test_door.py",),
        (
            f"{IMAP}/test_door.py::test_weakened_without_the_limit_where_submissions_are_recorded_all_are_taken",
            f"{IMAP}/test_door.py::test_weakened_without_the_door_each_file_is_a_row_of_its_own",
        ),
    ),
    Row(
        54,
        "each part may do what it needs and no more: units, users, and the child that reads strangers' mails",
        "exposure at most 2.0",
        ("tests/pbem/test_confinement.py", "tests/packaging/test_cron.py", "tests/packaging/test_users.py"),
        (
            "tests/pbem/test_confinement.py::test_weakened_without_it_the_child_may",
            "tests/packaging/test_cron.py::test_weakened_a_unit_without_its_list_is_exposed",
            "tests/packaging/test_users.py::test_weakened_files_of_the_owner_alone_stop_the_others",
        ),
    ),
    Row(
        55,
        "what a release installs is locked by hashes and listed; every dependency has an upper bound",
        "every package of the lock",
        ("tests/packaging/test_dependencies.py", "tests/packaging/test_security_page.py"),
        (
            "tests/packaging/test_dependencies.py::test_weakened_a_package_without_hashes_is_found",
            "tests/packaging/test_security_page.py::test_weakened_a_test_that_is_not_there_is_found",
        ),
    ),
    Row(
        56,
        "coverage-guided fuzzing of every reader of foreign bytes finds nothing that breaks it",
        "0 inputs that break a reader",
        ("tests/fuzz/test_fuzz.py",),
        (
            "tests/fuzz/test_fuzz.py::test_weakened_a_reader_that_fails_on_some_text_is_found",
            "tests/fuzz/test_fuzz.py::test_weakened_a_verdict_for_any_signature_is_found",
            "tests/fuzz/test_fuzz.py::test_weakened_a_planted_fault_is_found_by_its_coverage",
        ),
        also="make fuzz TARGET=mail FUZZ=-max_total_time=3600",
    ),
)


def missing(cited: str) -> str | None:
    """Why there is no such test; None when there is."""
    file, _, function = cited.partition("::")
    path = ROOT / file
    if not path.is_file():
        return f"there is no file {file}"
    names = {node.name for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.FunctionDef)}
    if function and function not in names:
        return f"{file} has no {function}"
    return None
