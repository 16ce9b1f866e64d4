package rust

import "strings"

// stdMethodName reports whether types or traits of the standard library have a method
// of a name. What such a call on a value of unknown type reaches cannot be told by the
// name.
func stdMethodName(name string) bool {
	table := stdLong
	switch {
	case len(name) <= 7:
		table = stdShort
	case len(name) <= 12:
		table = stdMiddle
	}
	return strings.Contains(table, " "+name+" ")
}

// The methods by the length of their names, each between spaces.
const (
	stdShort = " abs abs_sub accept acos acosh add align all alloc and any append arg args as_mut as_path as_ptr as_ref as_secs as_str ascend asin asinh " +
		"atan atan2 atanh awaken back bitand bitor bitxor borrow buffer by_ref bytes cast cause cbrt ceil chain chars check chunks clamp clear clone " +
		"cloned cmp code collect column concat connect consume copied copy_to cos cosh count create created cycle dealloc dedup deref descend digits " +
		"display div div_f32 div_f64 div_rem done drain drop dropped elapsed end entries entry env envs eq err error exists exp exp2 exp_m1 expect " +
		"extend field file fill filled filter find finish first fix_top flags flatten flip floor flush fmt fold force fract front fuse ge get " +
		"get_bit get_mut get_ref grow gt guard hash hasher height hypot id idx index insert inspect into into_kv ip is is_dir is_eq is_err is_file " +
		"is_ge is_gt is_ipv4 is_ipv6 is_le is_lt is_nan is_ne is_none is_null is_ok is_some is_zero iter join key key_mut keys kill kind kv_mut last " +
		"last_kv layout le leak left_kv len len_mut lens limit line lines ln ln_1p load lock log log10 log2 lt map map_err map_ok map_or matches max " +
		"max_by min min_by mul mul_add mul_f32 mul_f64 name ne neg new next next_if next_kv nodelay not nth octets offset ok ok_or only_v6 open or " +
		"or_else output pad parent parse path payload peek poll pop port pow powf powi product ptr ptr_eq push queried query range rchunks read " +
		"realloc recip recv reduce rem remove repeat replace report reserve resize resume retain rev reverse rewind rfind rfold round rsplit rsplitn " +
		"scan seek send send_to sent set set_ip set_len set_ttl shl shr shrink signal signum sin sin_cos sinh size size_of skip slice sort sort_by " +
		"source spawn splice split splitn sqrt start status stderr stdin stdout step step_by store sub success sum swap take tan tanh then thread " +
		"to_be to_bits to_ipv4 to_le to_mut to_raw to_str to_vec trim trunc ttl type_id union unpark unwrap unzip upgrade value values wait wake " +
		"waker width windows with write xor zip "
	stdMiddle = " abs_diff accessed add_assign add_filled add_small align_of align_offset align_to align_to_mut alloc_zeroed allocator alternate ancestors " +
		"and_modify and_then as_bytes as_bytes_mut as_c_str as_deref as_deref_mut as_inner as_micros as_millis as_mut_ptr as_mut_slice as_mut_str " +
		"as_mut_vec as_nanos as_os_str as_pin_mut as_pin_ref as_ptr_range as_secs_f32 as_secs_f64 as_slice as_slices assume_init back_mut bit_length " +
		"bitor_assign borrow_mut broadcast build_hasher bulk_push calc_length call_once can_merge canonicalize capacity char_indices checked_abs " +
		"checked_add checked_div checked_mul checked_neg checked_pow checked_rem checked_shl checked_shr checked_sub chunks_exact chunks_mut " +
		"classify clone_chan clone_from clone_into code_nonzero components contains contains_key copy_from copy_within copysign count_ones " +
		"count_zeros create_new current_dir deallocate debug_list debug_map debug_set debug_struct debug_tuple dedup_by dedup_by_key deref_mut " +
		"description difference div_assign div_euclid downcast downcast_mut downcast_ref drop_chan drop_key_val drop_port dump_keys duration " +
		"encode_utf16 encode_utf8 end_bound ends_with enumerate env_clear env_remove error_len escape_ascii escape_debug expect_err extension " +
		"fetch_add fetch_and fetch_max fetch_min fetch_nand fetch_or fetch_sub fetch_update fetch_xor file_name file_stem file_type fill_buf " +
		"fill_with filled_len filled_mut filter_map find_map first_edge first_kv first_mut flat_map flowinfo for_each forget_type format_exact " +
		"front_mut full_div_rem full_mul_add full_range get_args get_envs get_program grow_zeroed has_root haystack incoming index_mut initialized " +
		"insert_str intersection into_box into_bytes into_cstring into_dying into_error into_inner into_iter into_key into_key_val into_keys " +
		"into_mut into_node into_owned into_parts into_raw into_ref into_slice into_status into_string into_val_mut into_values into_vec is_absolute " +
		"is_ascii is_break is_broadcast is_completed is_continue is_control is_digit is_disjoint is_empty is_false is_finished is_finite is_infinite " +
		"is_leader is_loopback is_lowercase is_multicast is_negative is_normal is_numeric is_pending is_poisoned is_positive is_prefix_of is_private " +
		"is_ready is_relative is_subnormal is_subset is_suffix_of is_superset is_symlink is_uppercase is_verbatim iter_mut last_edge last_mut " +
		"leading_ones left_edge left_shift len_utf16 len_utf8 lines_any local_addr location map_or_else map_split map_while max_by_key metadata " +
		"min_by_key modified move_suffix mul_assign mul_digits mul_pow2 mul_pow5 mul_small next_back next_checked next_if_eq next_match next_reject " +
		"normalize normalize_to notify_all notify_one nth_back nul_position offset_from ok_or_else or_default or_insert pad_integral pad_to_align " +
		"parse_digits partial_cmp partition peek_from peek_mut peekable peer_addr permissions poll_next pop_back pop_front position precision " +
		"push_back push_front push_str range_mut range_search raw_os_error rchunks_mut read_dir read_exact read_line read_link read_timeout " +
		"read_to_end read_until readonly reborrow reborrow_mut recursive recv_from recv_timeout rem_assign rem_euclid remainder remaining " +
		"remove_entry replace_kv replacen resize_with retain_mut reverse_bits right_edge right_kv right_shift rmatches rotate_left rotate_right " +
		"rposition rsplit_mut rsplit_once rsplitn_mut scope_id search_node search_tree segments set_filled set_flowinfo set_limit set_nodelay " +
		"set_only_v6 set_port set_position set_readonly set_scope_id shl_assign shr_assign shrink_to shutdown sign_minus sign_plus size_hint " +
		"skip_while sort_by_key spawn_scoped split_at split_at_mut split_first split_last split_mut split_off split_once splitn_mut stack_size " +
		"start_bound starts_with steal_left steal_right strip_prefix strip_suffix strong_count sub_assign subsec_nanos swap_bytes swap_remove " +
		"sync_all sync_data take_error take_while then_some timed_out to_be_bytes to_bytes to_degrees to_digit to_le_bytes to_lowercase to_ne_bytes " +
		"to_os_string to_owned to_path_buf to_radians to_string to_uppercase total_cmp transpose trim_end trim_left trim_matches trim_right " +
		"trim_start truncate try_borrow try_clone try_exists try_fold try_for_each try_into try_iter try_lock try_read try_recv try_reserve " +
		"try_rfold try_send try_wait try_with try_write unfilled_mut unsigned_abs unwrap_err unwrap_or utf8_error valid_up_to values_mut " +
		"wait_timeout wait_while wake_by_ref weak_count will_wake with_copy wrapping_abs wrapping_add wrapping_div wrapping_mul wrapping_neg " +
		"wrapping_pow wrapping_rem wrapping_shl wrapping_shr wrapping_sub write_all write_bytes write_char write_fmt write_i128 write_i16 write_i32 " +
		"write_i64 write_i8 write_isize write_str write_u128 write_u16 write_u32 write_u64 write_u8 write_usize "
	stdLong = " abort_selection allocate_zeroed append_from_sorted_iters as_bytes_with_nul as_mut_ptr_range as_mut_slices as_slice_of_cells " +
		"assert_back_pointers assert_failed assert_matches_failed assert_receiver_is_total_eq assume_init_drop assume_init_mut assume_init_read " +
		"assume_init_ref binary_search binary_search_by binary_search_by_key bitand_assign bitxor_assign borrow_valmut bulk_steal_left " +
		"bulk_steal_right calc_split_length call_once_force cast_to_leaf_unchecked checked_div_euclid checked_duration_since " +
		"checked_next_power_of_two checked_rem_euclid choose_parent_kv chunks_exact_mut clone_from_slice compare_and_swap compare_exchange " +
		"compare_exchange_weak consider_for_balancing consumer_addition copy_from_nonoverlapping copy_from_slice copy_to_nonoverlapping " +
		"deallocate_and_ascend deallocating_end deallocating_next_back_unchecked deallocating_next_unchecked div_rem_small drop_in_place " +
		"duration_since eq_ignore_ascii_case escape_default escape_unicode extend_from_slice extend_from_within find_lower_bound_edge " +
		"find_upper_bound_edge finish_non_exhaustive first_leaf_edge fix_left_border fix_node_and_affected_ancestors fix_right_border " +
		"fix_right_border_of_plentiful forget_node_type format_exact_opt format_shortest format_shortest_opt get_current_dir get_key_value " +
		"get_or_insert get_or_insert_with get_unchecked get_unchecked_mut has_remainder inherit_blocker initialize_unfilled initialize_unfilled_to " +
		"initialized_len initialized_mut insert_recursing integer_decode into_boxed_bytes into_boxed_c_str into_boxed_os_str into_boxed_path " +
		"into_boxed_slice into_boxed_str into_bytes_with_nul into_c_string into_kv_valmut into_left_child into_os_string into_path_buf " +
		"into_remainder into_right_child into_searcher into_sorted_vec is_alphabetic is_alphanumeric is_ascii_alphabetic is_ascii_alphanumeric " +
		"is_ascii_control is_ascii_digit is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase " +
		"is_ascii_whitespace is_char_boundary is_contained_in is_documentation is_link_local is_power_of_two is_sign_negative is_sign_positive " +
		"is_unspecified is_whitespace join_multicast_v4 join_multicast_v6 last_leaf_edge leading_zeros leave_multicast_v4 leave_multicast_v6 " +
		"left_child_len make_ascii_lowercase make_ascii_uppercase make_contiguous map_unchecked map_unchecked_mut match_indices merge_tracking_child " +
		"merge_tracking_child_edge merge_tracking_parent multicast_loop_v4 multicast_loop_v6 multicast_ttl_v4 next_back_checked next_back_unchecked " +
		"next_leaf_edge next_match_back next_power_of_two next_reject_back next_unchecked overflowing_abs overflowing_add overflowing_div " +
		"overflowing_div_euclid overflowing_mul overflowing_neg overflowing_pow overflowing_rem overflowing_rem_euclid overflowing_shl " +
		"overflowing_shr overflowing_sub partition_at_index partition_point pop_internal_level postinit_lock producer_addition push_internal_level " +
		"rchunks_exact rchunks_exact_mut read_to_string read_unaligned read_vectored read_volatile replace_range reserve_exact reserve_for_push " +
		"right_child_len rmatch_indices rsplit_terminator saturating_abs saturating_add saturating_div saturating_duration_since saturating_mul " +
		"saturating_neg saturating_pow saturating_sub search_tree_for_bifurcation seek_relative select_nth_unstable select_nth_unstable_by " +
		"select_nth_unstable_by_key set_broadcast set_extension set_file_name set_multicast_loop_v4 set_multicast_loop_v6 set_multicast_ttl_v4 " +
		"set_nonblocking set_permissions set_read_timeout set_write_timeout shrink_to_fit sign_aware_zero_pad slice_mut_unchecked slice_unchecked " +
		"sort_by_cached_key sort_unstable sort_unstable_by sort_unstable_by_key spare_capacity_mut split_ascii_whitespace split_first_mut " +
		"split_inclusive split_inclusive_mut split_last_mut split_terminator split_whitespace stream_position strip_prefix_of strip_suffix_of " +
		"subsec_micros subsec_millis swap_remove_back swap_remove_front swap_with_slice symlink_metadata symmetric_difference to_ascii_lowercase " +
		"to_ascii_uppercase to_bytes_with_nul to_exact_exp_str to_exact_fixed_str to_int_unchecked to_ipv4_mapped to_ipv6_compatible to_ipv6_mapped " +
		"to_shortest_exp_str to_shortest_str to_socket_addrs to_string_lossy trailing_ones trailing_zeros trim_end_matches trim_left_matches " +
		"trim_right_matches trim_start_matches try_add_digit try_borrow_mut try_borrow_unguarded try_fast_path try_reserve_exact uninitialized_mut " +
		"unpaired_surrogate unwrap_err_unchecked unwrap_or_default unwrap_or_else unwrap_unchecked visit_nodes_in_order wait_max_until " +
		"wait_timeout_ms wait_timeout_while wait_with_output with_additions with_extension with_file_name wrapping_div_euclid wrapping_offset " +
		"wrapping_rem_euclid write_timeout write_unaligned write_vectored write_volatile "
)
